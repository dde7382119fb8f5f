// SPDX-License-Identifier: Apache-2.0
// Bringing here the bytes that checkouts ask for; forgetting. Fetches ahead are in ahead.cpp.
#include "cluster/memory/cache/cache.hpp"

#include <algorithm>

#include "platform/base/expect.hpp"

namespace kasuri::cluster {
cache::cache(const cache_site& at, versions& stamps, notice_log& log)
    : at_(at),
      lists_(at.network, at.options, at.range, at.blocks),
      fetcher_(at_, lists_, stamps),
      arrivals_(at_, lists_, fetcher_),
      evictor_(at_, lists_),
      waiting_room_(at_, lists_.used, evictor_, arrivals_),
      writer_(at_, lists_.untold, arrivals_, stamps, log),
      dropper_(at_, lists_.doubted, arrivals_),
      uncached_(at_, lists_.unkept, arrivals_) {
  for (int r = 0; r != at.network.size(); ++r)
    overlaps_ |= at.options.cached && at.network.overlaps(r);
}

bool cache::covered(const checkout_request& r) const noexcept {
  const std::uint64_t end = r.offset + r.bytes;
  for (std::uint64_t at = r.offset; at < end;) {
    block& b = at_.blocks[at_.range.block_of(at)];
    const std::uint64_t stop =
        std::min(end, at_.range.start_of_block(at) + at_.range.block_bytes());
    const auto low = static_cast<std::uint32_t>(at_.range.within(at));
    const range_hint& hint = r.mode == access::read ? b.readable : b.writable;
    if (!hint.covers(low, low + static_cast<std::uint32_t>(stop - at))) return false;
    b.touch();
    at = stop;
  }
  return true;
}

std::vector<block_part> cache::parts_of(std::span<const checkout_request> requests,
                                        std::span<const region* const> where) const {
  std::vector<block_part> parts;
  for (std::size_t i = 0; i != requests.size(); ++i) {
    const checkout_request& r = requests[i];
    at_.range.each_block(r.range(), [&](std::uint64_t index, byte_range part) {
      parts.push_back({index, part, r.reads(), r.writes(), where[i]});
    });
  }
  if (requests.size() > 1) std::ranges::stable_sort(parts, {}, &block_part::index);
  return parts;
}

std::uint64_t cache::count_new(block_parts parts) const {
  std::uint64_t count = 0;
  each_block_of(parts, [&](const block_part& it) {
    if (!at_.blocks[it.index].has(block::resident) && !at_.places.is_home(*it.where, it.index))
      ++count;
  });
  return count;
}

void cache::bring(std::span<const checkout_request> requests,
                  std::span<const region* const> where) {
  KASURI_EXPECT(cheap, requests.size() == where.size() && !requests.empty(),
                "%zu checkouts in %zu regions", requests.size(), where.size());
  bool all = true;
  for (const checkout_request& r : requests) all = covered(r) && all;
  if (all) return at_.users.count_hit();
  if (requests.size() == 1 && serve_one(requests[0], *where[0])) return;

  const std::vector<block_part> parts = parts_of(requests, where);
  const std::uint64_t counted = count_new(parts);
  waiting_room_.take(at_.range.bytes_of(counted), requests[0]);
  std::uint64_t fresh = 0;
  for (std::size_t from = 0; from < parts.size();) {
    std::size_t to = std::min(parts.size(), from + most_locked);
    while (to < parts.size() && parts[to].index == parts[to - 1].index) ++to;
    fresh += bring_locked({parts.data() + from, to - from});
    from = to;
  }
  // Others may have brought some of it meanwhile, or evicted what was here when it was counted.
  lists_.used.settle(at_.range.bytes_of(counted), at_.range.bytes_of(fresh));
}

/// A checkout of one block that needs nothing from elsewhere.
bool cache::serve_one(const checkout_request& r, const region& where) {
  const auto low = static_cast<std::uint32_t>(at_.range.within(r.offset));
  if (r.bytes > at_.range.block_bytes() - low) return false;
  const block_part it{at_.range.block_of(r.offset),
                      {low, low + static_cast<std::uint32_t>(r.bytes)},
                      r.reads(),
                      r.writes(),
                      &where};
  block& b = at_.blocks[it.index];
  const bool kept = at_.options.cached && b.has(block::resident);
  if (!kept && !at_.places.is_home(where, it.index)) return false;
  arrivals_.lock(it.index);
  const bool here = fetcher_.enter_if_here(it);
  b.unlock();
  if (here) at_.users.count_hit();
  return here;
}

/// How many of the blocks are new here.
std::uint64_t cache::bring_locked(block_parts parts) {
  KASURI_EXPECT(all, std::ranges::is_sorted(parts, {}, &block_part::index),
                "%zu parts of checkouts are out of order", parts.size());
  each_block_of(parts, [&](const block_part& it) { arrivals_.lock(it.index); });
  block::fence_before_fetch();
  const std::uint64_t since = lists_.doubted.number();
  fetcher_.check_versions(parts);
  fetcher_.provide_memory(parts);
  fetcher_.fetch(parts);
  return fetcher_.enter(parts, since);
}

bool cache::has_untold(global_range r) {
  bool found = false;
  at_.range.each_block(r, [&](std::uint64_t index, byte_range part) {
    block& b = at_.blocks[index];
    if (!b.has(block::listed)) return;
    arrivals_.lock(index);
    b.dirty.each_in(part, [&](byte_range) { found = true; });
    b.unlock();
  });
  return found;
}

void cache::forget_dirty(global_range r) {
  const auto none_told = writer_.stop();
  const auto none_evicted = evictor_.stop();
  at_.range.each_block(r, [&](std::uint64_t index, byte_range part) {
    block& b = at_.blocks[index];
    if (b.state.load(std::memory_order_relaxed) == 0) return;
    arrivals_.lock(index);
    b.writable.clear();
    b.dirty.remove(part);
    b.unlock();
  });
}

void cache::forget(const region& r) {
  const auto none_told = writer_.stop();
  const auto none_evicted = evictor_.stop();
  const block_span blocks{at_.range.block_of(r.begin), at_.range.block_of(r.end - r.begin)};
  std::uint64_t gone = 0;
  at_.blocks.forget(blocks, [&](std::uint64_t index) {
    block& b = at_.blocks[index];
    if (b.state.load(std::memory_order_relaxed) == 0) {
      // Of a home, or never met: to write to that would bring its page into being.
      if (!b.readable.empty()) b.readable.clear();
      if (!b.writable.empty()) b.writable.clear();
      return;
    }
    // A thread that brings blocks of another region may be moving the spare memory of this one
    // there; it holds the lock meanwhile, and does not begin behind this.
    arrivals_.lock(index);
    if (b.has(block::resident)) ++gone;
    b.readable.clear();
    b.writable.clear();
    b.valid.clear();
    b.dirty.clear();
    b.state.store(0, std::memory_order_release);  // unlocks it; pairs with block::try_lock()
  });
  lists_.used.give_back(at_.range.bytes_of(gone));
  lists_.forget(blocks, {r.begin, r.end});
}

const char* cache::check() {
  land_all();
  std::vector<std::uint64_t> indices = lists_.clock.all();
  for (std::uint64_t index : indices) {
    const block& b = at_.blocks[index];
    if (!b.has(block::resident)) return "a block in the clock is not resident";
    if (const char* wrong = b.check()) return wrong;
  }
  if (const char* wrong = lists_.spares.check()) return wrong;
  std::ranges::sort(indices);
  if (std::ranges::adjacent_find(indices) != indices.end()) return "a block is in the clock twice";
  if (lists_.used.in_use() != at_.range.bytes_of(indices.size()))
    return "the room in use is not that of the blocks in the clock";
  return lists_.untold.counts_right() ? nullptr : "the count of what is untold is wrong";
}

}  // namespace kasuri::cluster
