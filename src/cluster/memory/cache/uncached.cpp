// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/uncached.hpp"

#include <algorithm>

#include "cluster/memory/base/transfers.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {
void uncached::end_checkout(pin& p) noexcept {
  const std::uint64_t begin = p.offset.load(std::memory_order_relaxed);
  const global_range all{begin, begin + p.bytes()};
  const bool wrote = p.writes();
  KASURI_EXPECT(cheap, begin != 0 && p.uncached() && !at_.options.cached,
                "the checkout of byte %llu ends, which has a pin of another kind",
                static_cast<unsigned long long>(begin));
  p.drop();
  const region* where = at_.places.find(all);
  if (where == nullptr) return;
  for (std::uint64_t at = all.begin; at < all.end;) {
    const std::uint64_t stop =
        std::min(all.end, at_.range.start_of_block(at) + at_.range.bytes_of(most_locked));
    end(*where, {at, stop}, wrote);
    at = stop;
  }
}

/// The end of a part of the checkout. The blocks are walked anew for each step: a list of them
/// would need memory, and no one could be told that there is none.
void uncached::end(const region& where, global_range r, bool wrote) {
  at_.places.each_away(where, r, [&](std::uint64_t index, byte_range) { locks_.lock(index); });
  if (wrote) put_home(where, r);
  at_.places.each_away(where, r, [&](std::uint64_t index, byte_range part) {
    forget(index, part);
    at_.blocks[index].set(block::dropped);
    KASURI_EXPECT(all, at_.blocks[index].check_sets() == nullptr,
                  "%s; the checkout of bytes %u to %u of block %llu has ended",
                  at_.blocks[index].check_sets(), part.begin, part.end,
                  static_cast<unsigned long long>(index));
    at_.blocks[index].unlock();
  });
}

void uncached::put_home(const region& where, global_range r) {
  transfers under_way(at_.network);
  at_.places.each_away(where, r, [&](std::uint64_t index, byte_range part) {
    const std::uint64_t start = at_.range.bytes_of(index);
    const home_place home = where.home_of(start);
    at_.blocks[index].dirty.each_in(part, [&](byte_range d) {
      under_way.put(home.rank, where.memory, home.offset + d.begin, at_.range.at(start + d.begin),
                    d.end - d.begin);
      at_.counts.written_back_bytes.add(d.end - d.begin);
    });
  });
  at_.counts.waited_ns.add(under_way.finish());
}

/// Forgets the bytes of a locked block that no other checkout holds.
void uncached::forget(std::uint64_t index, byte_range part) {
  byte_set held;
  unkept_.end(index, part, held);
  block& b = at_.blocks[index];
  held.each_missing(part, [&](byte_range free) {
    b.valid.remove(free);
    b.dirty.remove(free);
  });
}

}  // namespace kasuri::cluster
