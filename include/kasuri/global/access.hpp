// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The purpose of a checkout: to read, to write, or both.

#include "kasuri/detail/needs_cxx20.hpp"

namespace kasuri::global {

/// As a value: what a range of global memory is checked out for. Checkouts take the tags below.
enum class access : unsigned char { read, write, read_write };

/// Read: the elements are current, are const, must not be written. The rank fetches what it lacks.
struct read_t {
  /// The same as a value.
  static constexpr access mode = access::read;
};
/// Write: every byte will be written before the checkout ends. Nothing is fetched: what is there
/// at first is arbitrary, and what was left unwritten is arbitrary for all from then on.
struct write_t {
  /// The same as a value.
  static constexpr access mode = access::write;
};
/// Both: the elements are current, and may be written. The rank fetches what it lacks. All of them
/// count as written, and go home.
struct read_write_t {
  /// The same as a value.
  static constexpr access mode = access::read_write;
};

/// For checkouts whose elements are read.
inline constexpr read_t read{};
/// For checkouts whose elements are all written.
inline constexpr write_t write{};
/// For checkouts whose elements are read and written.
inline constexpr read_write_t read_write{};

}  // namespace kasuri::global
