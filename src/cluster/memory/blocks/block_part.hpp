// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cluster/memory/base/byte_set.hpp"
#include "cluster/memory/space/region.hpp"

namespace kasuri::cluster {

/// The part of one block that a checkout asks for.
struct block_part {
  std::uint64_t index;  // of the block
  byte_range part;
  bool reads;
  bool writes;
  const region* where;
};

/// The parts of some checkouts, by rising index: of several, a block may have more than one.
using block_parts = std::span<const block_part>;

/// Calls f(part) for the first part of each block.
template <class F>
void each_block_of(block_parts parts, F f) {
  for (std::size_t i = 0; i != parts.size(); ++i)
    if (i == 0 || parts[i].index != parts[i - 1].index) f(parts[i]);
}

}  // namespace kasuri::cluster
