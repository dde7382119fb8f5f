// SPDX-License-Identifier: Apache-2.0
#pragma once

// The bytes of a part of a checkpoint in its file: pieces of 4 KiB, the least block of an array,
// so that homes seldom share one; the last may be shorter. Each has its checksum behind it: a
// CRC-32C of the id of the checkpoint, the place of the piece, and its bytes. So a piece of another
// checkpoint, or from another place, is found as well.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "platform/base/placed_file.hpp"

namespace kasuri::cluster {

inline constexpr std::uint64_t piece_bytes = 4096;
inline constexpr std::uint64_t checksum_bytes = 4;
inline constexpr std::uint64_t record_bytes = piece_bytes + checksum_bytes;
inline constexpr std::uint64_t pieces_at_once = 256;  // of one read or write

inline constexpr std::uint64_t pieces_in(std::uint64_t bytes) noexcept {
  return bytes / piece_bytes + (bytes % piece_bytes != 0 ? 1 : 0);
}
/// Of a part, in the file.
inline constexpr std::uint64_t bytes_in_file(std::uint64_t bytes) noexcept {
  return bytes + pieces_in(bytes) * checksum_bytes;
}

/// Bytes that have not their checksum.
class damaged_piece : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The pieces of a part in the file.
class part_in_file {
 public:
  /// @param begin  where they begin; `bytes`: of the part
  part_in_file(platform::placed_file& file, const std::string& path, std::uint64_t id,
               std::uint64_t begin, std::uint64_t bytes)
      : file_(file), path_(path), id_(id), begin_(begin), bytes_(bytes) {}

  /// Writes pieces from `first` on, at most pieces_at_once, which the bytes are all of.
  void write(std::uint64_t first, std::span<const std::byte> bytes);
  /// The bytes of pieces [first, last), at most pieces_at_once; good until the next call. Throws
  /// damaged_piece, or what failure_of() takes.
  std::span<const std::byte> read(std::uint64_t first, std::uint64_t last);

 private:
  [[nodiscard]] std::uint32_t checksum(std::uint64_t piece,
                                       std::span<const std::byte> bytes) const noexcept;
  [[nodiscard]] std::uint64_t place_of(std::uint64_t piece) const noexcept {
    return begin_ + piece * record_bytes;
  }

  platform::placed_file& file_;
  const std::string& path_;
  const std::uint64_t id_;
  const std::uint64_t begin_;
  const std::uint64_t bytes_;
  std::vector<std::byte> records_;
  std::vector<std::byte> content_;
};

}  // namespace kasuri::cluster
