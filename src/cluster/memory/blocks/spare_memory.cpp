// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/blocks/spare_memory.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "platform/base/expect.hpp"
#include "platform/memory/fixed_memory.hpp"
#include "platform/memory/memory.hpp"

namespace kasuri::cluster {

void spare_memory::discard(block_span run) {
  platform::discard(range_.at(range_.bytes_of(run.first)), range_.bytes_of(run.count));
}

void spare_memory::keep(std::span<const std::uint64_t> evicted) {
  KASURI_EXPECT(all, std::ranges::is_sorted(evicted), "%zu evicted blocks are out of order",
                evicted.size());
  for ([[maybe_unused]] const std::uint64_t index : evicted)
    KASURI_EXPECT(cheap, blocks_[index].has(block::locked) && !blocks_[index].has(block::resident),
                  "the memory of block %llu is spare, which is in state %#x",
                  static_cast<unsigned long long>(index),
                  blocks_[index].state.load(std::memory_order_relaxed));
  for (std::size_t i = 0; i != evicted.size();) {
    std::size_t end = i + 1;
    while (end != evicted.size() && evicted[end] == evicted[end - 1] + 1) ++end;
    const block_span run{evicted[i], end - i};
    const std::uint64_t bytes = range_.bytes_of(run.count);
    if (bytes < least_run_ || bytes > most_) {
      discard(run);
    } else {
      for (; i != end; ++i) blocks_[evicted[i]].set(block::spare);
      const std::scoped_lock hold(lock_);
      runs_.push_back(run);
      count_ += run.count;
    }
    i = end;
  }
  while (const std::optional<block_span> oldest = too_much()) drop(*oldest, evicted);
  KASURI_EXPECT(all, check() == nullptr, "%s; it is %llu blocks", check(),
                static_cast<unsigned long long>(count_));
}

const char* spare_memory::check() {
  const std::scoped_lock hold(lock_);
  std::uint64_t count = 0;
  for (const block_span& run : runs_) {
    if (run.count == 0) return "a run of spare memory has no blocks";
    count += run.count;
  }
  if (count != count_) return "the count of spare memory is not that of its runs";
  return range_.bytes_of(count_) <= most_ ? nullptr : "there is more spare memory than may be";
}

/// The oldest run, taken out, if the runs have more than they may.
std::optional<block_span> spare_memory::too_much() {
  const std::scoped_lock hold(lock_);
  if (range_.bytes_of(count_) <= most_) return std::nullopt;
  KASURI_EXPECT(cheap, !runs_.empty() && runs_.front().count <= count_,
                "%zu runs of spare memory, %llu blocks", runs_.size(),
                static_cast<unsigned long long>(count_));
  const block_span oldest = runs_.front();
  runs_.pop_front();
  count_ -= oldest.count;
  return oldest;
}

/// Gives memory back to the system. The caller has the blocks `locked` locked, by rising index.
void spare_memory::drop(block_span run, std::span<const std::uint64_t> locked) {
  for (std::uint64_t index = run.first; index != run.first + run.count; ++index) {
    block& b = blocks_[index];
    const bool mine = std::ranges::binary_search(locked, index);
    if (!mine && !b.try_lock()) continue;  // the thread that brings it again counts its memory
    if (b.has(block::spare)) discard({index, 1});
    b.reset(block::spare);
    if (!mine) b.unlock();
  }
}

/// So many blocks of a run that has as many; none: there is no such run.
block_span spare_memory::take_run(std::uint64_t count) {
  block_span taken;
  const std::scoped_lock hold(lock_);
  for (block_span& run : runs_) {
    if (run.count < count) continue;
    taken = {run.first, count};
    run.first += count;
    run.count -= count;
    count_ -= count;
    break;
  }
  std::erase_if(runs_, [](const block_span& run) { return run.count == 0; });
  return taken;
}

bool spare_memory::move_to(block_span to) {
  for (std::uint64_t index = to.first; index != to.first + to.count; ++index)
    KASURI_EXPECT(cheap, blocks_[index].has(block::locked) && !blocks_[index].has(block::resident),
                  "memory is moved to block %llu in state %#x",
                  static_cast<unsigned long long>(index),
                  blocks_[index].state.load(std::memory_order_relaxed));
  if (range_.bytes_of(to.count) < least_run_) return false;
  const block_span from = take_run(to.count);
  if (from.count == 0) return false;
  // A thread that has one of them locked brings it again, with its memory; that of the others goes
  // or moves.
  std::vector<std::uint64_t> ours;
  bool whole = true;
  for (std::uint64_t index = from.first; index != from.first + from.count; ++index) {
    const bool locked = blocks_[index].try_lock();
    if (locked) ours.push_back(index);
    whole = whole && locked && blocks_[index].has(block::spare);
  }
  std::byte* const here = range_.at(range_.bytes_of(from.first));
  std::byte* const there = range_.at(range_.bytes_of(to.first));
  const bool moved = whole && platform::move_memory(here, range_.bytes_of(from.count), there);
  for (std::uint64_t index : ours) {
    block& b = blocks_[index];
    if (b.has(block::spare) && !moved) discard({index, 1});
    b.reset(block::spare);
    b.unlock();
  }
  return moved;
}

}  // namespace kasuri::cluster
