// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/uncached.hpp"

#include <algorithm>

#include "cluster/memory/base/transfers.hpp"

namespace kasuri::cluster {
namespace {

// Blocks that are locked at a time.
constexpr std::uint64_t most_locked = 1024;

}  // namespace

void uncached::end_checkout(pin& p) noexcept {
  const std::uint64_t begin = p.offset.load(std::memory_order_relaxed);
  const global_range all{begin, begin + p.bytes()};
  const bool wrote = p.writes();
  p.drop();
  const region* where = at_.places.find(all);
  if (where == nullptr) return;
  for (std::uint64_t at = all.begin; at < all.end;) {
    const std::uint64_t stop =
        std::min(all.end, at_.range.start_of_block(at) + at_.range.bytes_of(most_locked));
    std::vector<block_part> parts;
    at_.places.each_away(*where, {at, stop}, [&](std::uint64_t index, byte_range part) {
      parts.push_back({index, part, false, wrote, where});
    });
    if (!parts.empty()) end(parts, wrote);
    at = stop;
  }
}

void uncached::end(const std::vector<block_part>& parts, bool wrote) {
  for (const block_part& it : parts) locks_.lock(it.index);
  if (wrote) put_home(parts);
  for (const block_part& it : parts) {
    forget(it);
    at_.blocks[it.index].set(block::dropped);
    at_.blocks[it.index].unlock();
  }
}

void uncached::put_home(const std::vector<block_part>& parts) {
  transfers under_way(at_.network);
  for (const block_part& it : parts) {
    const std::uint64_t start = at_.range.bytes_of(it.index);
    const home_place home = it.where->home_of(start);
    at_.blocks[it.index].dirty.each_in(it.part, [&](byte_range d) {
      under_way.put(home.rank, it.where->memory, home.offset + d.begin,
                    at_.range.at(start + d.begin), d.end - d.begin);
      at_.counts.written_back_bytes.add(d.end - d.begin);
    });
  }
  at_.counts.waited_ns.add(under_way.finish());
}

/// Of a locked block: the bytes that nobody else holds.
void uncached::forget(const block_part& it) {
  byte_set held;
  unkept_.end(it.index, it.part, held);
  block& b = at_.blocks[it.index];
  held.each_missing(it.part, [&](byte_range free) {
    b.valid.remove(free);
    b.dirty.remove(free);
  });
}

}  // namespace kasuri::cluster
