// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

// The purpose of a checkout: to read, to write, or both.

namespace kasuri::global {

/// As a value: what a range of global memory is checked out for.
enum class access : unsigned char { read, write, read_write };

/// Read: the memory is current, and must not be written.
struct read_t {
  /// The same as a value.
  static constexpr access mode = access::read;
};
/// Write: every byte will be written; nothing is fetched, and what is there before that is
/// arbitrary.
struct write_t {
  /// The same as a value.
  static constexpr access mode = access::write;
};
/// Both: the memory is current, and may be written.
struct read_write_t {
  /// The same as a value.
  static constexpr access mode = access::read_write;
};

inline constexpr read_t read{};
inline constexpr write_t write{};
inline constexpr read_write_t read_write{};

}  // namespace kasuri::global
