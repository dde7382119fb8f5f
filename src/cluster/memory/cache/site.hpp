// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "cluster/memory/base/counters.hpp"
#include "cluster/memory/base/options.hpp"
#include "cluster/memory/blocks/block_table.hpp"
#include "cluster/memory/checkouts/checkouts.hpp"
#include "cluster/memory/space/address_range.hpp"
#include "cluster/memory/space/directory.hpp"
#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

/// Blocks that are locked at a time. A checkout of more is brought in so many steps.
inline constexpr std::size_t most_locked = 1024;

/// The owners that the parts of a cache work with. They outlive it.
struct cache_site {
  transport& network;
  const memory_options& options;
  const address_range& range;
  const directory& places;
  checkouts& users;
  const block_table& blocks;
  live_counts& counts;
};

}  // namespace kasuri::cluster
