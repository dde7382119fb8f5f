// SPDX-License-Identifier: Apache-2.0
// Fetches that nobody waits for yet. Their blocks stay locked, as those of any fetch do, so that
// nothing changes for whoever drops, evicts or writes back: but the lock belongs to a record of the
// process, and not to a thread. Who wants such a block takes the record and waits for the network in
// the place of the one who began (lock() in checkout.cpp).
//
// Nothing is waited for here: what others have locked, and what is suspect, for which home would have
// to be asked first, is left to finish(), which is a checkout. So this never changes what a program
// sees, only when it is fetched.

#include <algorithm>
#include <utility>

#include "cluster/memory/memory.hpp"

namespace kasuri::cluster {
namespace {

// Blocks of one fetch; what is behind them waits for finish().
constexpr std::uint64_t most_blocks = 1024;

// Fetches of more than this part of the cache could drive out what they are ahead of.
constexpr std::uint64_t parts_of_cache = 8;

}  // namespace

memory::begun memory::begin(const checkout_request& r) {
  if (r.bytes == 0) return {};
  const region& where = checked_region(r.offset, r.bytes, r.mode);
  if (!overlaps_ && !options_.checked) return {};
  begun b;
  // Behind this pin what arrives is not evicted. Under checks it also says that a checkout lasts.
  b.kept = &claim(r.offset, r.bytes, access::read);
  if (overlaps_ && r.mode != access::write) b.number = fetch_ahead(r, where);
  if (b.number == 0 && !options_.checked) std::exchange(b.kept, nullptr)->drop();
  return b;
}

held memory::finish(const checkout_request& r, begun b) {
  // Also where the checkout throws. It has a pin of its own before this one goes.
  struct ending {
    memory& here;
    begun b;
    ~ending() { here.abandon(b); }
  } const end{*this, b};
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

/// The number of the fetch, or 0.
std::uint64_t memory::fetch_ahead(const checkout_request& r, const region& where) {
  if (r.bytes > options_.cache_bytes / parts_of_cache || where.kind == region::kind_t::file) return 0;
  auto a = std::make_unique<arrival>(network_);
  const std::uint64_t end = r.offset + r.bytes;
  std::uint64_t new_blocks = 0;
  for (std::uint64_t at = r.offset; at < end && a->items.size() != most_blocks; at = (at | mask_) + 1) {
    const auto low = static_cast<std::uint32_t>(at & mask_);
    const std::uint64_t stop = std::min(end, (at | mask_) + 1);
    const item it{at >> shift_, {low, low + static_cast<std::uint32_t>(stop - at)}, true, false, &where};
    if (!worth_locking(it)) continue;
    a->items.push_back(it);
    if (!blocks_[it.index].has(block::resident)) ++new_blocks;
  }
  if (a->items.empty() || !try_reserve(new_blocks << shift_)) return 0;
  a->reserved = new_blocks;

  std::erase_if(a->items, [this](const item& it) {
    block& b = blocks_[it.index];
    if (!b.try_lock()) return true;
    if (!b.has(block::suspect) && !b.valid.covers(it.part)) return false;
    b.unlock();
    return true;
  });
  if (a->items.empty()) {
    resident_bytes_.fetch_sub(new_blocks << shift_, std::memory_order_relaxed);
    return 0;
  }
  // pairs with suspect_everything(), as in bring_locked()
  a->suspicion = suspicion_.load(std::memory_order_seq_cst);
  provide_memory(a->items);
  begin_fetch(a->items, a->under_way);
  a->under_way.send();
  for (const item& it : a->items) blocks_[it.index].set(block::arriving);
  const std::scoped_lock hold(arriving_);
  a->number = ++last_arrival_;
  arrivals_.push_back(std::move(a));
  return last_arrival_;
}

std::unique_ptr<memory::arrival> memory::take_arrival(
    const std::function<bool(const arrival&)>& is) {
  const std::scoped_lock hold(arriving_);
  const auto found = std::ranges::find_if(arrivals_, [&](const auto& a) { return is(*a); });
  if (found == arrivals_.end()) return nullptr;
  auto taken = std::move(*found);
  arrivals_.erase(found);
  return taken;
}

/// Waits for the fetch, and gives the locks of its blocks back. Null: another thread does.
void memory::land(std::unique_ptr<arrival> a) {
  if (a == nullptr) return;
  counts_.waited_ns.add(a->under_way.finish());
  for (const item& it : a->items) blocks_[it.index].reset(block::arriving);
  const std::uint64_t taken = mark(a->items, a->suspicion);
  resident_bytes_.fetch_add((taken - a->reserved) << shift_, std::memory_order_relaxed);
}

void memory::land_all() {
  while (auto a = take_arrival([](const arrival&) { return true; })) land(std::move(a));
}

void memory::land_block(std::uint64_t index) {
  land(take_arrival([index](const arrival& a) {
    return std::ranges::binary_search(a.items, index, {}, &item::index);
  }));
}

}  // namespace kasuri::cluster
