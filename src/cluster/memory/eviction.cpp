// SPDX-License-Identifier: Apache-2.0
// Room in the cache: blocks go in the order in which they came, but for those used since the last
// look at them (the clock algorithm), in batches, so that the fence and the system call are paid
// once for many.

#include <algorithm>
#include <utility>

#include "cluster/memory/memory.hpp"
#include "platform/fixed_memory.hpp"
#include "platform/memory.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::uint64_t batch_bytes = std::uint64_t{1} << 20;

}  // namespace

/// Counts `bytes` as resident if they fit.
bool memory::take_room(std::uint64_t bytes) noexcept {
  std::uint64_t now = resident_bytes_.load(std::memory_order_relaxed);
  while (now + bytes <= room()) {
    if (resident_bytes_.compare_exchange_weak(now, now + bytes, std::memory_order_relaxed)) return true;
  }
  return false;
}

/// Counts them for what can do without: waits for nobody, and takes blocks that need not be brought home.
bool memory::try_reserve(std::uint64_t bytes) {
  if (bytes == 0 || take_room(bytes)) return true;
  if (bytes <= room() && evicting_.try_lock()) {
    const std::scoped_lock one(std::adopt_lock, evicting_);
    evict_some(victims::clean);
  }
  return take_room(bytes);
}

/// Makes room for so many bytes, or some of it, if that is still wanted.
memory::eviction memory::evict_some(std::uint64_t wanted) {
  const std::scoped_lock one(evicting_);
  if (resident_bytes_.load(std::memory_order_relaxed) + wanted <= room()) return eviction::some;
  return evict_some(victims::any);
}

/// The caller is the one who evicts.
memory::eviction memory::evict_some(victims which) {
  std::size_t all = 0;
  {
    const std::scoped_lock hold(lists_);
    all = clock_.size();
  }
  bool met_locked = false;
  for (std::size_t looked_at = 0; looked_at < all;) {
    std::vector<std::uint64_t> indices = candidates(which, met_locked);
    if (indices.empty()) break;
    looked_at += indices.size();
    std::ranges::sort(indices);
    for (std::uint64_t index : indices) {
      blocks_[index].readable.clear();
      blocks_[index].writable.clear();
    }
    detail::real_atomics::fence_heavy();  // pairs with occupy() in every checkout
    std::vector<bool> keep(indices.size());
    std::size_t kept = 0;
    for (const pinned_range& p : pins_.collect()) {
      const auto first = std::ranges::lower_bound(indices, p.begin >> shift_);
      for (auto i = first; i != indices.end() && *i << shift_ < p.end; ++i) {
        const auto at = static_cast<std::size_t>(i - indices.begin());
        kept += keep[at] ? 0 : 1;
        keep[at] = true;
      }
    }
    evict(indices, keep);
    if (kept != indices.size() || which == victims::clean) return eviction::some;
  }
  return met_locked ? eviction::all_locked : eviction::all_pinned;
}

/// Takes blocks out of the clock, and locks them. Those that others have locked stay, and are told of; so
/// do dirty ones, of which no more are looked at than are wanted, where clean ones are.
std::vector<std::uint64_t> memory::candidates(victims which, bool& met_locked) {
  std::vector<std::uint64_t> found;
  const std::scoped_lock hold(lists_);
  const std::uint64_t share = std::min(options_.cache_bytes / 8, batch_bytes) >> shift_;
  const std::uint64_t wanted = std::max<std::uint64_t>(share, 1);
  std::size_t looks = 2 * clock_.size();
  if (which == victims::clean) looks = std::min(looks, 2 * static_cast<std::size_t>(wanted));
  for (; looks != 0 && !clock_.empty() && found.size() < wanted; --looks) {
    const std::uint64_t index = clock_.front();
    clock_.pop_front();
    block& b = blocks_[index];
    if (b.has(block::touched)) {
      b.reset(block::touched);
      clock_.push_back(index);
    } else if (!b.try_lock()) {
      met_locked = true;
      clock_.push_back(index);
    } else if (which == victims::clean && !b.dirty.empty()) {
      b.unlock();
      clock_.push_back(index);
    } else {
      found.push_back(index);
    }
  }
  return found;
}

/// Of the locked blocks, which go and which go on; unlocks all.
void memory::evict(std::span<const std::uint64_t> indices, const std::vector<bool>& keep) {
  transfers under_way(network_);
  std::vector<global_range> told;
  std::vector<std::uint64_t> gone;
  for (std::size_t i = 0; i != indices.size(); ++i) {
    if (keep[i]) continue;
    gone.push_back(indices[i]);
    put_dirty(indices[i], under_way, told, nullptr);
  }
  counts_.waited_ns.add(under_way.finish());
  {
    const std::scoped_lock hold(lists_);
    if (options_.cached && options_.fault != planted_fault::eviction_forgotten) {
      brought_home_.insert(brought_home_.end(), told.begin(), told.end());
      untold_.fetch_add(told.size(), std::memory_order_relaxed);
    }
    for (std::size_t i = 0; i != indices.size(); ++i)
      if (keep[i]) clock_.push_back(indices[i]);
  }
  for (std::size_t i = 0; i != indices.size(); ++i) {
    block& b = blocks_[indices[i]];
    if (keep[i]) {
      const auto parts = b.valid.parts();
      if (options_.cached) b.publish(parts.empty() ? byte_range{} : parts.front());
      b.touch();
    } else {
      b.valid.clear();
      b.dirty.clear();
      b.reset(block::resident | block::suspect | block::stamped | block::touched);
      b.set(block::dropped);
    }
  }
  take_memory_of(gone);
  for (std::uint64_t index : indices) blocks_[index].unlock();
  resident_bytes_.fetch_sub(gone.size() << shift_, std::memory_order_relaxed);
  counts_.evicted_blocks.add(gone.size());
}

void memory::discard(std::uint64_t first, std::uint64_t count) {
  platform::discard(base_ + (first << shift_), count << shift_);
}

/// Of evicted blocks, still locked: long runs keep their memory for the next that comes, since to
/// get pages from the system and to give them back costs more than to fill them.
void memory::take_memory_of(std::span<const std::uint64_t> indices) {
  for (std::size_t i = 0; i != indices.size();) {
    std::size_t end = i + 1;
    while (end != indices.size() && indices[end] == indices[end - 1] + 1) ++end;
    const spare_run run{indices[i], end - i};
    if (run.count << shift_ < options_.moved_bytes || run.count << shift_ > most_spare_) {
      discard(run.first, run.count);
    } else {
      for (; i != end; ++i) blocks_[indices[i]].set(block::spare);
      const std::scoped_lock hold(lists_);
      spares_.push_back(run);
      spare_blocks_ += run.count;
    }
    i = end;
  }
  while (true) {
    spare_run oldest;
    {
      const std::scoped_lock hold(lists_);
      if (spare_blocks_ << shift_ <= most_spare_) return;
      oldest = spares_.front();
      spares_.pop_front();
      spare_blocks_ -= oldest.count;
    }
    for (std::uint64_t index = oldest.first; index != oldest.first + oldest.count; ++index) {
      block& b = blocks_[index];
      const bool mine = std::ranges::binary_search(indices, index);  // locked already
      if (!mine && !b.try_lock()) continue;  // who brings it again counts its memory
      if (b.has(block::spare)) discard(index, 1);
      b.reset(block::spare);
      if (!mine) b.unlock();
    }
  }
}

/// Memory for the blocks that come, locked, at the price of one call for many; so, too, for those at home
/// that nobody here has met.
void memory::provide_memory(std::span<const item> items) {
  enum class need { nothing, copy, home };
  const auto need_of = [&](const item& it) {
    const block& b = blocks_[it.index];
    if (b.has(block::resident | block::spare)) return need::nothing;
    if (!is_home(*it.where, it.index)) return need::copy;
    const bool met = !b.readable.empty() || it.where->kind == region::kind_t::file;
    return met ? need::nothing : need::home;
  };
  for (std::size_t i = 0; i != items.size();) {
    const need what = need_of(items[i]);
    if (what == need::nothing) {
      ++i;
      continue;
    }
    const std::uint64_t first = items[i].index;
    std::uint64_t count = 0;
    for (; i != items.size() && items[i].index <= first + count && need_of(items[i]) == what; ++i)
      count = items[i].index - first + 1;
    const bool moves = what == need::copy && count << shift_ >= options_.moved_bytes;
    if (moves && move_spare(first, count)) continue;
    if (count << shift_ >= options_.populated_bytes)
      platform::populate(base_ + (first << shift_), count << shift_);
  }
}

/// Moves the memory of evicted blocks to blocks [to, to + count), which the caller has locked.
bool memory::move_spare(std::uint64_t to, std::uint64_t count) {
  spare_run from{0, 0};
  {
    const std::scoped_lock hold(lists_);
    for (spare_run& s : spares_) {
      if (s.count < count) continue;
      from = {s.first, count};
      s.first += count;
      s.count -= count;
      spare_blocks_ -= count;
      break;
    }
    std::erase_if(spares_, [](const spare_run& s) { return s.count == 0; });
  }
  if (from.count == 0) return false;
  // Who has one of them locked brings it again, with its memory; that of the others goes or moves.
  std::vector<std::uint64_t> ours;
  bool whole = true;
  for (std::uint64_t index = from.first; index != from.first + count; ++index) {
    const bool locked = blocks_[index].try_lock();
    if (locked) ours.push_back(index);
    whole = whole && locked && blocks_[index].has(block::spare);
  }
  const bool moved = whole && platform::move_memory(base_ + (from.first << shift_), count << shift_,
                                                    base_ + (to << shift_));
  for (std::uint64_t index : ours) {
    block& b = blocks_[index];
    if (b.has(block::spare) && !moved) discard(index, 1);
    b.reset(block::spare);
    b.unlock();
  }
  return moved;
}

}  // namespace kasuri::cluster
