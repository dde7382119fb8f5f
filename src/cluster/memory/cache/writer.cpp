// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/writer.hpp"

#include <algorithm>

#include "cluster/memory/base/checkout_sums.hpp"
#include "cluster/memory/base/transfers.hpp"
#include "cluster/memory/cache/put_dirty.hpp"
#include "kasuri/detail/atomics.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

// Blocks of a release that are locked at a time.
constexpr std::size_t batch = 1024;

void merge(std::vector<global_range>& ranges) {
  std::ranges::sort(ranges, {}, &global_range::begin);
  std::size_t kept = 0;
  for (const global_range& r : ranges) {
    if (kept != 0 && r.begin <= ranges[kept - 1].end)
      ranges[kept - 1].end = std::max(ranges[kept - 1].end, r.end);
    else
      ranges[kept++] = r;
  }
  ranges.resize(kept);
}

}  // namespace

void writer::tell() {
  if (untold_.none()) return;
  const measured_write_back time;
  const std::scoped_lock one(telling_);
  std::vector<std::uint64_t> indices = untold_.take_blocks();
  std::ranges::sort(indices);
  std::vector<global_range> told;
  for (std::size_t from = 0; from < indices.size(); from += batch) {
    const std::size_t n = std::min(batch, indices.size() - from);
    bring_home({indices.data() + from, n}, told);
  }
  // After the blocks: what eviction took from them meanwhile is here.
  const std::vector<global_range> home = untold_.take_ranges();
  std::uint64_t taken = indices.size() + home.size();
  told.insert(told.end(), home.begin(), home.end());
  std::erase_if(indices,
                [this](std::uint64_t index) { return !at_.blocks[index].has(block::relisted); });
  for (std::uint64_t index : indices) at_.blocks[index].reset(block::relisted);
  untold_.put_back(indices);
  taken -= indices.size();
  merge(told);
  if (!told.empty()) {
    stamps_.raise(told);
    log_.publish(told);
  }
  KASURI_EXPECT(all, untold_.counts_right(taken), "a release has %llu writes in hand",
                static_cast<unsigned long long>(taken));
  untold_.told(taken);
}

/// Of some blocks, rising; those of which bytes are left are `relisted`.
void writer::bring_home(std::span<const std::uint64_t> indices, std::vector<global_range>& told) {
  for (std::uint64_t index : indices) {
    locks_.lock(index);
    KASURI_EXPECT(cheap, at_.blocks[index].has(block::listed),
                  "a release has block %llu in hand, which is in state %#x",
                  static_cast<unsigned long long>(index),
                  at_.blocks[index].state.load(std::memory_order_relaxed));
    at_.blocks[index].writable.clear();
  }
  detail::real_atomics::fence_heavy();  // pairs with checkouts::occupy() in every checkout
  std::vector<pinned_range> writing = at_.users.collect();
  std::erase_if(writing, [](const pinned_range& p) { return !p.writes; });
  transfers under_way(at_.network);
  for (std::uint64_t index : indices) {
    byte_set left;
    find_still_written(index, writing, left);
    put_dirty(at_, index, &left, under_way, told);
    at_.blocks[index].dirty.assign(left);
  }
  at_.counts.waited_ns.add(under_way.finish());
  for (std::uint64_t index : indices) {
    block& b = at_.blocks[index];
    KASURI_EXPECT(cheap, !b.has(block::relisted),
                  "block %llu is left in two releases, in state %#x",
                  static_cast<unsigned long long>(index), b.state.load(std::memory_order_relaxed));
    if (b.dirty.empty())
      b.reset(block::listed);
    else
      b.set(block::relisted);
    b.unlock();
  }
}

/// Of a locked block: the dirty bytes that are checked out for writing.
void writer::find_still_written(std::uint64_t index, std::span<const pinned_range> writing,
                                byte_set& left) const {
  const std::uint64_t start = at_.range.bytes_of(index);
  for (const pinned_range& p : writing) {
    const std::uint64_t begin = std::max(p.begin, start);
    const std::uint64_t end = std::min(p.end, start + at_.range.block_bytes());
    if (begin >= end) continue;
    at_.blocks[index].dirty.each_in(
        {static_cast<std::uint32_t>(begin - start), static_cast<std::uint32_t>(end - start)},
        [&](byte_range r) { left.add(r); });
  }
}

}  // namespace kasuri::cluster
