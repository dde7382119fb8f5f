// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/saved/pieces.hpp"

#include <array>
#include <cstring>

#include "cluster/memory/saved/first_failure.hpp"
#include "cluster/memory/saved/written_together.hpp"
#include "platform/base/expect.hpp"
#include "platform/cpu/crc32c.hpp"

namespace kasuri::cluster {

std::uint32_t part_in_file::checksum(std::uint64_t piece,
                                     std::span<const std::byte> bytes) const noexcept {
  const std::array<std::uint64_t, 2> place{id_, place_of(piece)};
  return platform::crc32c(bytes, platform::crc32c(std::as_bytes(std::span(place))));
}

void part_in_file::write(std::uint64_t first, std::span<const std::byte> bytes) {
  KASURI_EXPECT(cheap, bytes.size() <= pieces_at_once * piece_bytes,
                "%zu bytes are written at once", bytes.size());
  records_.resize(bytes_in_file(bytes.size()));
  std::byte* to = records_.data();
  for (std::uint64_t piece = first; !bytes.empty(); ++piece) {
    const auto now = bytes.first(std::min<std::size_t>(piece_bytes, bytes.size()));
    const std::uint32_t sum = checksum(piece, now);
    std::memcpy(to, now.data(), now.size());
    std::memcpy(to + now.size(), &sum, checksum_bytes);
    to += now.size() + checksum_bytes;
    bytes = bytes.subspan(now.size());
  }
  write_at(file_, path_, records_.data(), records_.size(), place_of(first));
}

std::span<const std::byte> part_in_file::read(std::uint64_t first, std::uint64_t last) {
  KASURI_EXPECT(cheap, first < last && last - first <= pieces_at_once && last <= pieces_in(bytes_),
                "pieces %llu to %llu of %llu are read at once",
                static_cast<unsigned long long>(first), static_cast<unsigned long long>(last),
                static_cast<unsigned long long>(pieces_in(bytes_)));
  const std::uint64_t bytes = std::min(bytes_, last * piece_bytes) - first * piece_bytes;
  records_.resize(bytes_in_file(bytes));
  content_.resize(bytes);
  if (!file_.read(records_.data(), records_.size(), place_of(first))) fail_by_system("read", path_);
  const std::byte* from = records_.data();
  for (std::uint64_t piece = first; piece != last; ++piece) {
    const std::uint64_t at = (piece - first) * piece_bytes;
    const auto now = std::span(content_).subspan(at, std::min(piece_bytes, bytes - at));
    std::memcpy(now.data(), from, now.size());
    std::uint32_t sum;
    std::memcpy(&sum, from + now.size(), checksum_bytes);
    if (sum != checksum(piece, now)) {
      const std::uint64_t begin = piece * piece_bytes;
      throw damaged_piece("finds no right checksum behind bytes " + std::to_string(begin) + " to " +
                          std::to_string(begin + now.size() - 1));
    }
    from += now.size() + checksum_bytes;
  }
  return content_;
}

}  // namespace kasuri::cluster
