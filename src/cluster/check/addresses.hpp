// SPDX-License-Identifier: Apache-2.0
#pragma once

// Under checks: addresses of this process among bytes that are to travel. They mean something else,
// or nothing, in the process that the bytes come to.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kasuri::cluster {

struct found_address {
  std::size_t byte;  // in the bytes that were looked at
  std::uintptr_t value;
  std::string place;  // "the stack", "memory of this process", a module's name
};

/// The first aligned word of `bytes` that is an address of memory that this process has mapped, but
/// for what `travels` knows as the same everywhere. Numbers below 2^32 are taken for numbers. Any
/// thread.
std::optional<found_address> find_address(std::span<const std::byte> bytes,
                                          const std::function<bool(std::uintptr_t)>& travels);

/// The type in what __PRETTY_FUNCTION__ says of a function template of one parameter.
std::string_view type_in(std::string_view function) noexcept;

}  // namespace kasuri::cluster
