// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/evictor.hpp"

#include <algorithm>

#include "cluster/memory/base/transfers.hpp"
#include "cluster/memory/cache/put_dirty.hpp"
#include "kasuri/detail/atomics.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::uint64_t batch_bytes = std::uint64_t{1} << 20;

}  // namespace

bool evictor::try_take_room(std::uint64_t bytes) {
  if (bytes == 0 || lists_.used.take(bytes)) return true;
  if (bytes <= lists_.used.limit() && evicting_.try_lock()) {
    const std::scoped_lock one(std::adopt_lock, evicting_);
    evict_some(victims::clean);
  }
  return lists_.used.take(bytes);
}

eviction evictor::make_room(std::uint64_t bytes) {
  const std::scoped_lock one(evicting_);
  if (lists_.used.fits(bytes)) return eviction::some;
  return evict_some(victims::any);
}

/// The caller is the one who evicts.
eviction evictor::evict_some(victims which) {
  const std::uint64_t share =
      at_.range.block_of(std::min<std::uint64_t>(at_.options.cache_bytes / 8, batch_bytes));
  const std::size_t all = lists_.clock.size();
  bool met_locked = false;
  for (std::size_t looked_at = 0; looked_at < all;) {
    std::vector<std::uint64_t> indices =
        lists_.clock.take(which, std::max<std::uint64_t>(share, 1), met_locked);
    if (indices.empty()) break;
    KASURI_EXPECT(cheap, indices.size() <= std::max<std::uint64_t>(share, 1),
                  "%zu blocks are taken from the clock, of %llu", indices.size(),
                  static_cast<unsigned long long>(share));
    looked_at += indices.size();
    std::ranges::sort(indices);
    const std::vector<bool> stays = pinned(indices);
    evict(indices, stays);
    if (std::ranges::find(stays, false) != stays.end() || which == victims::clean)
      return eviction::some;
  }
  return met_locked ? eviction::all_locked : eviction::all_pinned;
}

/// Of locked blocks: which of them checkouts hold. From then on none begins without their locks.
std::vector<bool> evictor::pinned(std::span<const std::uint64_t> indices) const {
  for (std::uint64_t index : indices) {
    at_.blocks[index].readable.clear();
    at_.blocks[index].writable.clear();
  }
  detail::real_atomics::fence_heavy();  // pairs with checkouts::occupy() in every checkout
  std::vector<bool> found(indices.size());
  for (const pinned_range& p : at_.users.collect()) {
    const auto first = std::ranges::lower_bound(indices, at_.range.block_of(p.begin));
    for (auto i = first; i != indices.end() && at_.range.bytes_of(*i) < p.end; ++i)
      found[static_cast<std::size_t>(i - indices.begin())] = true;
  }
  return found;
}

/// Unlocks all.
void evictor::evict(std::span<const std::uint64_t> indices, const std::vector<bool>& stays) {
  KASURI_EXPECT(cheap, indices.size() == stays.size(), "%zu blocks, %zu of which may stay",
                indices.size(), stays.size());
  std::vector<std::uint64_t> gone;
  std::vector<std::uint64_t> kept;
  for (std::size_t i = 0; i != indices.size(); ++i) (stays[i] ? kept : gone).push_back(indices[i]);
  bring_home(gone);
  lists_.clock.add(kept);
  for (std::uint64_t index : kept) go_on(index);
  for (std::uint64_t index : gone) empty(index);
  lists_.spares.keep(gone);
  for (std::uint64_t index : indices) at_.blocks[index].unlock();
  lists_.used.give_back(at_.range.bytes_of(gone.size()));
  at_.counts.evicted_blocks.add(gone.size());
}

void evictor::bring_home(std::span<const std::uint64_t> gone) {
  transfers under_way(at_.network);
  std::vector<global_range> told;
  for (std::uint64_t index : gone) put_dirty(at_, index, nullptr, under_way, told);
  at_.counts.waited_ns.add(under_way.finish());
  if (at_.options.cached && at_.options.fault != planted_fault::eviction_forgotten)
    lists_.untold.add_ranges(told);
}

void evictor::go_on(std::uint64_t index) {
  block& b = at_.blocks[index];
  const auto parts = b.valid.parts();
  if (at_.options.cached) b.publish(parts.empty() ? byte_range{} : parts.front());
  b.touch();
  KASURI_EXPECT(all, b.check_sets() == nullptr, "%s; block %llu stays", b.check_sets(),
                static_cast<unsigned long long>(index));
}

void evictor::empty(std::uint64_t index) {
  block& b = at_.blocks[index];
  KASURI_EXPECT(
      cheap,
      b.has(block::locked) && b.has(block::resident) && b.readable.empty() && b.writable.empty(),
      "block %llu goes in state %#x, or may be used", static_cast<unsigned long long>(index),
      b.state.load(std::memory_order_relaxed));
  b.valid.clear();
  b.dirty.clear();
  b.reset(block::resident | block::suspect | block::stamped | block::touched);
  b.set(block::dropped);
}

}  // namespace kasuri::cluster
