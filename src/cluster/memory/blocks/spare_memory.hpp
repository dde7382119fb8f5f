// SPDX-License-Identifier: Apache-2.0
#pragma once

// The memory of evicted blocks. Long runs keep theirs for the next that comes, since to get pages
// from the system and to give them back costs more than to fill them. A fetch of a run of blocks
// moves such memory to them.
//
// A run here is no lock on its blocks: a fetch of one of them, which finds the memory still there,
// resets its flag `spare` under the block's lock, and the run is short of a block from then on.
//
// Invariant: the runs have no more than most_bytes() at the end of keep(); a block whose flag
// `spare` is set is in a run, or a thread has it locked.

#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "cluster/memory/base/options.hpp"
#include "cluster/memory/blocks/block_span.hpp"
#include "cluster/memory/blocks/block_table.hpp"
#include "cluster/memory/space/address_range.hpp"
#include "cluster/transport/network_lock.hpp"
#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

class spare_memory {
 public:
  spare_memory(transport& network, const memory_options& options, const address_range& range,
               const block_table& blocks)
      : range_(range),
        blocks_(blocks),
        least_run_(options.moved_bytes),
        most_(spare_bytes(network, options)),
        lock_(network) {}

  /// Takes the memory of evicted blocks, which the caller has locked; the indices rise.
  void keep(std::span<const std::uint64_t> evicted);
  /// Moves memory to the blocks, which the caller has locked. False: there is none for them.
  bool move_to(block_span to);
  /// The invariant that does not hold, or null. Any thread that has not just come to keep().
  [[nodiscard]] const char* check();

 private:
  [[nodiscard]] std::optional<block_span> too_much();
  [[nodiscard]] block_span take_run(std::uint64_t count);
  void drop(block_span run, std::span<const std::uint64_t> locked);
  void discard(block_span run);

  const address_range& range_;
  const block_table& blocks_;
  const std::uint64_t least_run_;  // bytes
  const std::uint64_t most_;       // bytes
  network_lock lock_;              // guards the next two
  std::deque<block_span> runs_;
  std::uint64_t count_ = 0;  // of blocks in them
};

}  // namespace kasuri::cluster
