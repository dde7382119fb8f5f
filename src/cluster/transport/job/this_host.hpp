// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers that are equal in two processes where a resource is one and the same.

#include <cstddef>
#include <cstdint>
#include <span>

namespace kasuri::cluster {

/// Fowler, Noll and Vo's hash 1a of the bytes, going on from `hash`.
std::uint64_t hash_bytes(std::uint64_t hash, std::span<const std::byte> bytes) noexcept;
inline constexpr std::uint64_t hash_start = 0xcbf29ce484222325;

/// Of the running system: two hosts differ even if they have one name.
std::uint64_t machine_identity();

/// Of the name space of process ids: containers on one host differ.
std::uint64_t process_space_identity();

}  // namespace kasuri::cluster
