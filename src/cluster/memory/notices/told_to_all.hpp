// SPDX-License-Identifier: Apache-2.0
#pragma once

// What ranks tell all others at the two ends of a run: notices, and how far the logs have come.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/memory/notices/notice_ring.hpp"

namespace kasuri::cluster {

struct told_to_all {
  std::uint64_t position = 0;  // no log has more notices
  std::uint64_t number = 0;    // no rank has given a notice a higher one
  std::vector<notice> notices;

  /// Adds what another rank tells; `most` notices at most.
  void add(const told_to_all& other, std::size_t most);

  // As bytes, of which `most` notices take at most bytes_for(most).
  void write(std::vector<std::byte>& to) const;
  static told_to_all read(std::span<const std::byte> from);
  static constexpr std::size_t bytes_for(std::size_t most) noexcept {
    return head_bytes + most * sizeof(notice);
  }
  static constexpr std::size_t most_in(std::size_t bytes) noexcept {
    return (bytes - head_bytes) / sizeof(notice);
  }

 private:
  static constexpr std::size_t head_bytes = 16;
};

}  // namespace kasuri::cluster
