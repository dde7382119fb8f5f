// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/memory/base/options.hpp"
#include "cluster/memory/blocks/block_span.hpp"
#include "cluster/memory/blocks/block_table.hpp"
#include "cluster/memory/blocks/doubts.hpp"
#include "cluster/memory/blocks/resident_clock.hpp"
#include "cluster/memory/blocks/room.hpp"
#include "cluster/memory/blocks/spare_memory.hpp"
#include "cluster/memory/blocks/unkept_bytes.hpp"
#include "cluster/memory/blocks/untold_writes.hpp"
#include "cluster/memory/space/address_range.hpp"
#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

/// Where a block is entered beside the table. Each list has a lock of its own, which is taken last.
struct block_lists {
  block_lists(transport& network, const memory_options& options, const address_range& range,
              const block_table& blocks)
      : used(options.cache_bytes - spare_bytes(network, options)),
        clock(network, blocks),
        untold(network),
        doubted(network),
        unkept(network),
        spares(network, options, range, blocks) {}

  /// Blocks of a region that ends, and its bytes.
  void forget(block_span gone, global_range bytes) {
    clock.forget(gone);
    doubted.forget(gone);
    untold.forget(gone, bytes);
    unkept.forget(gone);
  }

  room used;
  resident_clock clock;
  untold_writes untold;
  doubts doubted;
  unkept_bytes unkept;
  spare_memory spares;
};

}  // namespace kasuri::cluster
