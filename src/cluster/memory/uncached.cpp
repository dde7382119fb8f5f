// SPDX-License-Identifier: Apache-2.0
// The end of a checkout with the cache off: what it wrote goes home, and what is here of it is
// forgotten, but for what another checkout of this process has brought and holds. That is current:
// who wrote it before that checkout wrote it before this one, too, since of two checkouts that last
// at the same time none is ordered before the other. Of two that end together the one that locks
// the block second forgets. What one of them writes, and another has put home, stays dirty until the
// last one's end: it may have been written again.
//
// No notices are written or read: there are no copies that could be old.

#include <algorithm>

#include "cluster/memory/memory.hpp"

namespace kasuri::cluster {
namespace {

// Blocks that are locked at a time.
constexpr std::uint64_t most_locked = 1024;

}  // namespace

void memory::forget_checkout(pin& p) noexcept {
  const std::uint64_t begin = p.offset.load(std::memory_order_relaxed);
  const global_range all{begin, begin + p.bytes()};
  const bool wrote = p.writes();
  p.drop();
  const region* where = regions_.find(all.begin, all.end);
  if (where == nullptr || where->kind == region::kind_t::file) return;
  for (std::uint64_t at = all.begin; at < all.end;) {
    const std::uint64_t stop = std::min(all.end, (at & ~mask_) + (most_locked << shift_));
    forget_blocks(*where, {at, stop}, wrote);
    at = stop;
  }
}

void memory::forget_blocks(const region& where, global_range part, bool wrote) {
  const auto each_away = [&](auto f) {
    for (std::uint64_t at = part.begin; at < part.end; at = (at | mask_) + 1) {
      const std::uint64_t start = at & ~mask_;
      const home_place home = where.home_of(start);
      if (home.rank == rank_) continue;
      const std::uint64_t stop = std::min(part.end, start + mask_ + 1);
      f(blocks_[start >> shift_], start, home,
        byte_range{static_cast<std::uint32_t>(at - start), static_cast<std::uint32_t>(stop - start)});
    }
  };
  bool any = false;
  each_away([&](block& b, std::uint64_t, const home_place&, byte_range) {
    lock(b);
    any = true;
  });
  if (!any) return;
  transfers under_way(network_);
  if (wrote) {
    each_away([&](block& b, std::uint64_t start, const home_place& home, byte_range r) {
      b.dirty.each_in(r, [&](byte_range d) {
        under_way.put(home.rank, where.memory, home.offset + d.begin, base_ + start + d.begin,
                      d.end - d.begin);
        counts_.written_back_bytes.add(d.end - d.begin);
      });
    });
    counts_.waited_ns.add(under_way.finish());
  }
  each_away([&](block& b, std::uint64_t start, const home_place&, byte_range r) {
    forget_bytes(start >> shift_, r);
    b.set(block::dropped);
    b.unlock();
  });
}

/// Of a locked block: those that nobody else holds.
void memory::forget_bytes(std::uint64_t index, byte_range part) {
  byte_set held;
  {
    const std::scoped_lock hold(lists_);
    const auto [first, last] = unkept_.equal_range(index);
    auto own = last;
    for (auto i = first; i != last; ++i) {
      if (own == last && i->second == part)
        own = i;
      else
        held.add(i->second);
    }
    if (own != last) unkept_.erase(own);
  }
  held.each_missing(part, [&](byte_range free) {
    blocks_[index].valid.remove(free);
    blocks_[index].dirty.remove(free);
  });
}

}  // namespace kasuri::cluster
