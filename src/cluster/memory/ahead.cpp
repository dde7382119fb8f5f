// SPDX-License-Identifier: Apache-2.0
// Fetches that nobody waits for yet. Their blocks stay locked, as those of any fetch do, so that
// nothing changes for whoever drops, evicts or writes back: but the lock belongs to a record of the
// process, and not to a thread. Who wants such a block takes the record and waits for the network in
// the place of the one who began (lock() in checkout.cpp); who wants room takes them all.
//
// Nothing is waited for here: what others have locked, what is suspect, for which home would have to be
// asked first, and what finds no room but for dirty blocks, is left to finish(), which is a checkout.
// No pin keeps what has arrived: where room is short it goes again. So a fetch ahead never changes what
// a program sees, nor whether its checkouts fit, only when they are fetched.

#include <algorithm>
#include <utility>

#include "cluster/memory/memory.hpp"

namespace kasuri::cluster {
namespace {

// Blocks of one fetch; what is behind them waits for finish().
constexpr std::uint64_t most_blocks = 1024;

// All that is on its way is at most this part of the cache.
constexpr std::uint64_t parts_of_cache = 8;

}  // namespace

memory::begun memory::begin(const checkout_request& r) {
  const bool in_range = r.offset < range_bytes_ && r.bytes <= range_bytes_ - r.offset;
  if (r.bytes == 0 || (plain_ && in_range && r.mode == access::read && covered(r))) return {};
  const region& where = checked_region(r.offset, r.bytes, r.mode);
  begun b;
  if (options_.checked) b.kept = &claim(r.offset, r.bytes, access::read);  // for expect_nothing_checked_out
  if (overlaps_ && r.mode != access::write) b.number = fetch_ahead(r, where);
  return b;
}

held memory::finish(const checkout_request& r, begun b) {
  abandon(b);
  return checkout(r.offset, r.bytes, r.mode);
}

void memory::abandon(begun b) noexcept {
  if (b.number != 0) land(take_arrival([b](const arrival& a) { return a.number == b.number; }));
  if (b.kept != nullptr) b.kept->drop();
}

/// Whether there is something to fetch that the network brings while the caller goes on.
bool memory::worth_locking(const item& it) {
  const block& b = blocks_[it.index];
  if (b.has(block::locked | block::suspect)) return false;
  if (b.has(block::resident) && b.readable.covers(it.part.begin, it.part.end)) return false;
  const home_place home = it.where->home_of(it.index << shift_);
  return home.rank != rank_ && network_.overlaps(home.rank);
}

std::vector<memory::item> memory::worth_locking(const checkout_request& r, const region& where) {
  std::vector<item> items;
  const std::uint64_t end = r.offset + r.bytes;
  for (std::uint64_t at = r.offset; at < end && items.size() != most_blocks; at = (at | mask_) + 1) {
    const auto low = static_cast<std::uint32_t>(at & mask_);
    const std::uint64_t stop = std::min(end, (at | mask_) + 1);
    const item it{at >> shift_, {low, low + static_cast<std::uint32_t>(stop - at)}, true, false, &where};
    if (worth_locking(it)) items.push_back(it);
  }
  return items;
}

/// The number of the fetch, or 0.
std::uint64_t memory::fetch_ahead(const checkout_request& r, const region& where) {
  if (where.kind == region::kind_t::file) return 0;
  std::vector<item> items = worth_locking(r, where);
  const std::uint64_t most = (options_.cache_bytes / parts_of_cache) >> shift_;
  if (items.empty() || items.size() + under_way_.load(std::memory_order_relaxed) > most) return 0;
  const auto is_new = [this](const item& it) { return !blocks_[it.index].has(block::resident); };
  const auto reserved = static_cast<std::uint64_t>(std::ranges::count_if(items, is_new));
  if (!try_reserve(reserved << shift_)) return 0;
  auto a = std::make_unique<arrival>(network_);
  std::erase_if(items, [this](const item& it) {
    block& b = blocks_[it.index];
    if (!b.try_lock()) return true;
    if (!b.has(block::suspect) && !b.valid.covers(it.part)) return false;
    b.unlock();
    return true;
  });
  if (items.empty()) {
    resident_bytes_.fetch_sub(reserved << shift_, std::memory_order_relaxed);
    return 0;
  }
  a->items = std::move(items);
  a->reserved = reserved;
  block::fence_before_fetch();
  // pairs with suspect_everything(), as in bring_locked()
  a->suspicion = suspicion_.load(std::memory_order_seq_cst);
  provide_memory(a->items);
  begin_fetch(a->items, a->under_way);
  a->under_way.send();
  for (const item& it : a->items) blocks_[it.index].set(block::arriving);
  const std::scoped_lock hold(arriving_);
  under_way_.fetch_add(a->items.size(), std::memory_order_relaxed);
  a->number = ++last_arrival_;
  a->next = std::move(arrivals_);
  arrivals_ = std::move(a);
  return last_arrival_;
}

std::unique_ptr<memory::arrival> memory::take_arrival(
    const std::function<bool(const arrival&)>& is) {
  const std::scoped_lock hold(arriving_);
  std::unique_ptr<arrival>* at = &arrivals_;
  while (*at != nullptr && !is(**at)) at = &(*at)->next;
  std::unique_ptr<arrival> taken = std::move(*at);
  if (taken != nullptr) *at = std::move(taken->next);
  return taken;
}

/// Waits for the fetch, and gives the locks of its blocks back. Null: another thread does.
void memory::land(std::unique_ptr<arrival> a) {
  if (a == nullptr) return;
  counts_.waited_ns.add(a->under_way.finish());
  for (const item& it : a->items) blocks_[it.index].reset(block::arriving);
  const std::uint64_t taken = mark(a->items, a->suspicion);
  resident_bytes_.fetch_add((taken - a->reserved) << shift_, std::memory_order_relaxed);
  under_way_.fetch_sub(a->items.size(), std::memory_order_release);  // pairs with land_all
}

void memory::land_block(std::uint64_t index) {
  land(take_arrival([index](const arrival& a) {
    return std::ranges::binary_search(a.items, index, {}, &item::index);
  }));
}

/// Those that other threads are at, too.
void memory::land_all() {
  // acquire: pairs with the end of land
  for (unsigned n = 0; under_way_.load(std::memory_order_acquire) != 0; ++n) {
    while (auto a = take_arrival([](const arrival&) { return true; })) land(std::move(a));
    detail::real_atomics::backoff(n);
    network_.progress();
  }
}

}  // namespace kasuri::cluster
