// SPDX-License-Identifier: Apache-2.0
// A checksum that finds damaged bytes: CRC-32C (Castagnoli), as iSCSI and ext4 use it.
#pragma once

#include <cstddef>  // for size_t
#include <cstdint>  // for uint32_t
#include <span>     // for span

namespace kasuri::platform {

/// Of the bytes, behind those that `before` is the checksum of: so one of several pieces is had by
/// handing each the result of the one before. By the processor's instruction where it has one.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0) noexcept;

/// The same without that instruction.
std::uint32_t crc32c_by_tables(std::span<const std::byte> bytes, std::uint32_t before = 0) noexcept;

}  // namespace kasuri::platform
