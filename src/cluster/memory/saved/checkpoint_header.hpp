// SPDX-License-Identifier: Apache-2.0
#pragma once

// The header of a checkpoint file. All numbers are in the byte order of the machine:
//
//   8  magic                          an entry for each part:
//   4  byte_order_mark                4  kind (array, value; others may come)
//   4  version                        4  kind of its elements
//   8  bytes of the header            8  bytes of an element
//   8  bytes of the file              8  elements of a row of a grid, or 0
//   8  id of the checkpoint           8  bytes of the part
//   4  bytes of a piece (pieces.hpp)  8  where its pieces begin in the file
//   4  number of parts                4  bytes of the name
//   ... the entries                   4  bytes of more that belongs to it, 0 so far
//   4  CRC-32C of all before          ... the name, and more
//
// The pieces of the parts follow, in the order of the entries, without gaps. So there is no byte in
// the file that no checksum covers. A reader skips what more an entry has, and parts of kinds that
// nobody asks for; what else changes has another version.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kasuri/global/detail/saved_part.hpp"
#include "platform/base/placed_file.hpp"

namespace kasuri::cluster {

using global::detail::element_kind;
using global::detail::saved_kind;
using global::detail::saved_part;

struct saved_entry {
  std::string name;
  saved_kind kind = saved_kind::array;
  element_kind element = element_kind::other;
  std::uint64_t element_bytes = 0;
  std::uint64_t row = 0;
  std::uint64_t bytes = 0;
  std::uint64_t begin = 0;  // in the file
};

struct checkpoint_header {
  static constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20;

  std::uint64_t file_bytes = 0;
  std::uint64_t id = 0;  // all pieces have it in their checksums
  std::vector<saved_entry> parts;

  /// Of a new checkpoint, whose id is still to be given.
  static checkpoint_header of(std::span<const saved_part> parts);

  [[nodiscard]] std::vector<std::byte> to_bytes() const;
  /// Of a header, also where it is one that read() refuses.
  [[nodiscard]] std::uint64_t bytes() const;
  /// Of a file. Throws, in words that "it" begins, where it is not whole, damaged or strange.
  static checkpoint_header read(platform::placed_file& file, const std::string& path);

  /// The part of that name, if there is one, else null.
  [[nodiscard]] const saved_entry* find(const std::string& name) const;
};

/// The name of a part, for messages.
std::string name_of(const saved_part& part);
/// What the elements of a part are, for messages.
std::string in_words(const saved_entry& e);
saved_entry entry_of(const saved_part& part);

}  // namespace kasuri::cluster
