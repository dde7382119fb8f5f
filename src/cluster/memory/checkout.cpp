// SPDX-License-Identifier: Apache-2.0
// Bringing here what a checkout asks for. The steps, with the locks of the blocks held, in rising
// order:
//
//   1. suspect blocks: is their version at home the one from before they were fetched?
//   2. what is missing in `valid` is fetched: the rest of each block that is read
//   3. what will be written is entered in `valid` and `dirty`
//   4. the hints are set, and the locks given back
//
// With the cache off, 2 fetches the bytes asked for alone, and 4 sets hints at home only: a checkout
// of others' memory always comes here, and its end is that of uncached.cpp.
//
// The pin of the checkout is there before the first lock, so that nobody takes a block that is done
// while the next ones are brought.

#include <algorithm>
#include <string>
#include <utility>

#include "cluster/memory/memory.hpp"
#include "kasuri/global/error.hpp"
#include "platform/fatal.hpp"

namespace kasuri::cluster {
namespace {

// Blocks that are locked at a time. A checkout of more is brought in so many steps.
constexpr std::size_t most_locked = 1024;

// Of a block that has been here before, so many bytes are fetched at least.
constexpr std::uint32_t fetch_step = 512;

constexpr bool reads(access mode) noexcept { return mode != access::write; }
constexpr bool writes(access mode) noexcept { return mode != access::read; }

const char* name_of(access mode) noexcept {
  switch (mode) {
    case access::read: return "read";
    case access::write: return "write";
    case access::read_write: break;
  }
  return "read_write";
}

}  // namespace

constinit thread_local memory::thread_seat memory::this_thread{0, nullptr};

bool memory::is_home(const region& where, std::uint64_t index) const noexcept {
  return where.kind == region::kind_t::file ||
         where.home_of(index << shift_).rank == rank_;
}

void memory::lock(block& b) {
  for (unsigned n = 0; !b.try_lock(); ++n) {
    if (b.has(block::arriving)) land_block(index_of(b));
    detail::real_atomics::backoff(n);
    if (n >= 64) network_.progress();
  }
}

pin& memory::claim(std::uint64_t offset, std::uint64_t bytes, access mode) {
  if (this_thread.memory_id != id_) this_thread = {id_, &pins_.mine()};
  pin* p = nullptr;
  for (thread_pins* node = this_thread.pins; node != nullptr && p == nullptr; node = node->more)
    p = node->free_pin();
  if (p == nullptr) p = pins_.extend(*this_thread.pins).free_pin();
  occupy(*p, offset, bytes, mode);
  return *p;
}

const region& memory::checked_region(std::uint64_t offset, std::uint64_t bytes,
                                     access mode) const {
  const region* where = nullptr;
  if (offset <= offset + bytes) where = regions_.find(offset, offset + bytes);
  if (where == nullptr) {
    throw global::error(describe({offset, bytes, mode}) +
                        ": not inside one allocation that exists; accepted: a range of one global "
                        "vector, file or heap");
  }
  if (where->kind == region::kind_t::file && writes(mode)) {
    throw global::error(describe({offset, bytes, mode}) +
                        ": a file_view is read-only; accepted: global::read");
  }
  return *where;
}

/// What is asked for, in which array, and who asks.
std::string memory::describe(const checkout_request& r) const {
  std::string text = "checkout of " + std::to_string(r.bytes) + " bytes with access " +
                     name_of(r.mode) + " at global address " + std::to_string(r.offset);
  regions_.each_in(r.offset, r.offset + 1, [&](const region& in) {
    const std::uint64_t at = r.offset - in.begin;
    const std::uint64_t all = in.used - in.begin;
    if (in.heap) {
      text += " (the heap of rank " + std::to_string(in.home_of(r.offset).rank) + ')';
    } else if (in.kind == region::kind_t::file) {
      text += " (byte " + std::to_string(at) + " of the file_view of " + std::to_string(all) + " bytes)";
    } else {
      text += " (element " + std::to_string(at / in.element) + " of the array of " +
              std::to_string(all / in.element) + " elements of " + std::to_string(in.element) + " bytes)";
    }
  });
  return text + " on rank " + std::to_string(rank_);
}

bool memory::covered(const checkout_request& r) const noexcept {
  std::uint64_t at = r.offset;
  const std::uint64_t end = r.offset + r.bytes;
  while (at < end) {
    block& b = blocks_[at >> shift_];
    const std::uint64_t stop = std::min(end, (at | mask_) + 1);
    const auto low = static_cast<std::uint32_t>(at & mask_);
    const range_hint& hint = r.mode == access::read ? b.readable : b.writable;
    if (!hint.covers(low, low + static_cast<std::uint32_t>(stop - at))) return false;
    b.touch();
    at = stop;
  }
  return true;
}

held memory::checkout_slow(std::uint64_t offset, std::uint64_t bytes, access mode) {
  if (bytes == 0) return {base_ + offset, nullptr};
  if (ranks_ == 1 && !options_.checked) {
    const region* last = last_region_.load(std::memory_order_relaxed);
    if (last == nullptr || offset < last->begin || offset + bytes > last->used ||
        offset + bytes < offset || (last->kind == region::kind_t::file && writes(mode))) {
      last = &checked_region(offset, bytes, mode);
      last_region_.store(last, std::memory_order_relaxed);
    }
    return {base_ + offset, nullptr};
  }
  held result;
  const checkout_request request{offset, bytes, mode};
  checkout_all({&request, 1}, {&result, 1});
  return result;
}

void memory::checkout_all(std::span<const checkout_request> requests, std::span<held> results) {
  std::vector<const region*> where(requests.size());
  for (std::size_t i = 0; i != requests.size(); ++i) {
    if (requests[i].bytes != 0)
      where[i] = &checked_region(requests[i].offset, requests[i].bytes, requests[i].mode);
  }
  if (options_.checked) {
    for (std::size_t i = 0; i != requests.size(); ++i) {
      const checkout_request& r = requests[i];
      if (r.bytes != 0)
        note_use(*where[i], r.offset, r.bytes, writes(r.mode) ? use::write : use::read);
    }
  }
  for (std::size_t i = 0; i != requests.size(); ++i) {
    const checkout_request& r = requests[i];
    results[i] = {base_ + r.offset, nullptr};
    if (r.bytes == 0 || (ranks_ == 1 && !options_.checked)) continue;
    results[i].kept = &claim(r.offset, r.bytes, r.mode);
    if (!options_.cached) results[i].kept->mark_uncached();
  }
  try {
    if (options_.checked)
      for (const checkout_request& r : requests) report_conflict(r);
    if (ranks_ > 1) bring(requests, where);
    if (options_.checked) {
      for (std::size_t i = 0; i != requests.size(); ++i)
        if (requests[i].bytes != 0 && where[i]->kind != region::kind_t::file) hand_out_copy(requests[i], results[i]);
    }
  } catch (...) {
    for (held& h : results) {
      if (h.kept == nullptr) continue;
      if (h.kept->is_copied()) copies_->take_back(*h.kept);
      std::exchange(h.kept, nullptr)->drop();
    }
    throw;
  }
}

/// Under checks. (The memory of a file is for reading alone anyway.)
void memory::hand_out_copy(const checkout_request& r, held& h) {
  std::optional<stack_range> mine;
  h.data = copies_->lend({h.kept, h.data, r.offset, r.bytes, r.mode}, [&](std::uintptr_t frame) {
    if (!mine) mine = stack_of_caller();
    return mine->has(frame);
  });
  h.kept->mark_copied();
}

void memory::check_in_slow(pin& p) noexcept {
  if (p.is_copied()) copies_->take_back(p);
  if (p.uncached())
    forget_checkout(p);
  else
    p.drop();
}

void memory::bring(std::span<const checkout_request> requests,
                   std::span<const region* const> where) {
  bool all = true;
  for (const checkout_request& r : requests) all = covered(r) && all;
  if (all) return this_thread.pins->count_hit();
  if (requests.size() == 1 && serve_one(requests[0], *where[0])) return;

  std::vector<item> items;
  std::uint64_t new_blocks = 0;
  for (std::size_t i = 0; i != requests.size(); ++i) {
    const checkout_request& r = requests[i];
    const std::uint64_t end = r.offset + r.bytes;
    for (std::uint64_t at = r.offset; at < end; at = (at | mask_) + 1) {
      const std::uint64_t index = at >> shift_;
      const auto low = static_cast<std::uint32_t>(at & mask_);
      const std::uint64_t stop = std::min(end, (at | mask_) + 1);
      items.push_back({index, {low, low + static_cast<std::uint32_t>(stop - at)}, reads(r.mode),
                       writes(r.mode), where[i]});
    }
  }
  if (requests.size() > 1) std::ranges::stable_sort(items, {}, &item::index);
  for (std::size_t i = 0; i != items.size(); ++i) {
    const std::uint64_t index = items[i].index;
    if (i != 0 && index == items[i - 1].index) continue;  // of two requests: one block
    if (!blocks_[index].has(block::resident) && !is_home(*items[i].where, index)) ++new_blocks;
  }

  reserve(new_blocks << shift_, requests[0]);
  std::uint64_t taken = 0;
  for (std::size_t from = 0; from < items.size();) {
    std::size_t to = std::min(items.size(), from + most_locked);
    while (to < items.size() && items[to].index == items[to - 1].index) ++to;
    taken += bring_locked({items.data() + from, to - from});
    from = to;
  }
  // Others may have brought some of it meanwhile.
  resident_bytes_.fetch_add((taken - new_blocks) << shift_, std::memory_order_relaxed);
}

/// A checkout of one block that needs nothing from elsewhere.
bool memory::serve_one(const checkout_request& r, const region& where) {
  const std::uint64_t index = r.offset >> shift_;
  const auto low = static_cast<std::uint32_t>(r.offset & mask_);
  if (r.bytes > mask_ + 1 - low) return false;
  const byte_range part{low, low + static_cast<std::uint32_t>(r.bytes)};
  block& b = blocks_[index];
  const bool home = is_home(where, index);
  if (!home && (!options_.cached || !b.has(block::resident))) return false;
  lock(b);
  const bool here = home || (b.has(block::resident) &&
                             (!reads(r.mode) || (!b.has(block::suspect) && b.valid.covers(part))));
  if (here) {
    if (writes(r.mode)) {
      if (!home) b.valid.add(part);
      if (mark_written(index, part, home)) {
        const std::scoped_lock hold(lists_);
        dirty_blocks_.push_back(index);
        untold_.fetch_add(1, std::memory_order_relaxed);
      }
    }
    let_pass(index, part, home, where);
  }
  b.unlock();
  if (here) this_thread.pins->count_hit();
  return here;
}

std::uint64_t memory::bring_locked(std::span<const item> items) {
  for (std::size_t i = 0; i != items.size(); ++i)
    if (i == 0 || items[i].index != items[i - 1].index) lock(blocks_[items[i].index]);
  block::fence_before_fetch();
  // pairs with suspect_everything(): it sees these blocks listed, or mark() sees the number raised
  const std::uint64_t suspicion = suspicion_.load(std::memory_order_seq_cst);
  check_versions(items);
  provide_memory(items);
  fetch(items);
  return mark(items, suspicion);
}

/// Of a suspect block: is the version that it was fetched at still the one at home? Most blocks are
/// fetched without a version, which is a trip of its own; one that is asked for again behind a doubt
/// gets one, as long as it then turns out to be unchanged.
void memory::check_versions(std::span<const item> items) {
  const bool wanted = options_.stamps_at_once || suspicion_.load(std::memory_order_relaxed) != 0;
  if (!wanted || !options_.cached) return;
  struct asked {
    block* b;
    const item* it;
  };
  std::vector<asked> list;
  for (const item& it : items) {
    block& b = blocks_[it.index];
    if (!it.reads || is_home(*it.where, it.index)) continue;
    if (!list.empty() && list.back().b == &b) continue;
    if (b.has(block::suspect) && !b.has(block::stamped)) {
      forget_clean(b);
      b.set(block::doubted);
    }
    // A version counts from before all that is valid but not our own untold writes.
    if (!b.has(block::suspect) && (b.has(block::stamped) || !b.valid.same_as(b.dirty))) continue;
    if (b.has(block::suspect | block::doubted) || options_.stamps_at_once) list.push_back({&b, &it});
  }
  if (list.empty()) return;
  want_stamps();
  std::vector<std::uint64_t> stamps(list.size());  // the network writes into it
  transfers under_way(network_);
  for (std::size_t i = 0; i != list.size(); ++i) {
    const region& where = *list[i].it->where;
    const home_place home = where.home_of(list[i].it->index << shift_);
    under_way.get(home.rank, where.memory, where.stamps + (home.offset >> shift_) * 8,
                  reinterpret_cast<std::byte*>(&stamps[i]), 8);
  }
  counts_.waited_ns.add(under_way.finish());
  for (std::size_t i = 0; i != list.size(); ++i) {
    block& b = *list[i].b;
    if (b.has(block::suspect)) {
      counts_.version_checks.add(1);
      if (b.stamp == stamps[i]) {
        counts_.unchanged.add(1);
        b.reset(block::suspect);
        continue;
      }
      forget_clean(b);
      b.reset(block::doubted | block::stamped);
      if (!options_.stamps_at_once) continue;
    }
    b.stamp = stamps[i];
    b.set(block::stamped);
  }
}

/// Of a suspect block nothing but what was written here is known to be current.
void memory::forget_clean(block& b) {
  b.valid.assign(b.dirty);
  b.reset(block::suspect);
  b.set(block::dropped);
}

/// A block is fetched as a whole first. When others have written some of it since, it is shared:
/// what they write at its other end is not brought along each time.
byte_range memory::worth_fetching(const item& it) const noexcept {
  if (!options_.cached) return it.part;
  const byte_range all = used_of(*it.where, it.index);
  const block& b = blocks_[it.index];
  if (!b.has(block::dropped) || !b.has(block::resident)) return all;
  return {it.part.begin & ~(fetch_step - 1),
          std::min(all.end, (it.part.end + fetch_step - 1) & ~(fetch_step - 1))};
}

void memory::fetch(std::span<const item> items) {
  transfers under_way(network_);
  begin_fetch(items, under_way);
  counts_.waited_ns.add(under_way.finish());
}

void memory::begin_fetch(std::span<const item> items, transfers& under_way) {
  for (const item& it : items) {
    block& b = blocks_[it.index];
    if (!it.reads || is_home(*it.where, it.index)) continue;
    if (b.valid.covers(it.part)) continue;
    const home_place home = it.where->home_of(it.index << shift_);
    std::byte* const to = base_ + (it.index << shift_);
    const auto want = [&](byte_range missing) {
      const std::uint64_t bytes = missing.end - missing.begin;
      counts_.fetched_bytes.add(bytes);
      if (b.has(block::dropped)) counts_.refetched_bytes.add(bytes);
      under_way.get(home.rank, it.where->memory, home.offset + missing.begin, to + missing.begin,
                    bytes);
    };
    if (options_.fault == planted_fault::dirty_overwritten)
      want(used_of(*it.where, it.index));
    else
      b.valid.each_missing(worth_fetching(it), want);
    b.valid.add(worth_fetching(it));  // on its way, and behind the lock
  }
  if (!under_way.none()) counts_.misses.add(1);
}

/// True: the caller is to enter the block in the list of dirty ones.
bool memory::mark_written(std::uint64_t index, byte_range part, bool home) {
  block& b = blocks_[index];
  if (!options_.cached && home) return false;  // it is there, and nobody has a copy
  b.dirty.add(part);
  if (!options_.cached || b.has(block::listed)) return false;
  b.set(block::listed);
  return true;
}

/// Lets checkouts go by the sets of a locked block as they are.
void memory::let_pass(std::uint64_t index, byte_range part, bool home,
                      const region& where) noexcept {
  block& b = blocks_[index];
  if (options_.cached) b.publish(part);
  if (home) {
    b.readable.set(used_of(where, index));
    if (!options_.cached) b.writable.set(used_of(where, index));
  }
  b.touch();
}

std::uint64_t memory::mark(std::span<const item> items, std::uint64_t suspicion) {
  std::vector<std::uint64_t> newly_dirty;
  std::vector<std::uint64_t> newly_resident;
  std::vector<std::uint64_t> newly_watched;
  for (const item& it : items) {
    block& b = blocks_[it.index];
    const bool home = is_home(*it.where, it.index);
    if (!home) {
      if (!b.has(block::resident)) {
        b.set(block::resident);
        b.reset(block::spare);
        newly_resident.push_back(it.index);
      }
      if (!b.has(block::watched)) {
        b.set(block::watched);
        newly_watched.push_back(it.index);
      }
      if (it.writes) b.valid.add(it.part);
    }
    if (it.writes && mark_written(it.index, it.part, home)) newly_dirty.push_back(it.index);
  }
  {
    const std::scoped_lock hold(lists_);
    clock_.insert(clock_.end(), newly_resident.begin(), newly_resident.end());
    dirty_blocks_.insert(dirty_blocks_.end(), newly_dirty.begin(), newly_dirty.end());
    untold_.fetch_add(newly_dirty.size(), std::memory_order_relaxed);
    watched_.insert(watched_.end(), newly_watched.begin(), newly_watched.end());
    if (!options_.cached)
      for (const item& it : items)
        if (!is_home(*it.where, it.index)) unkept_.emplace(it.index, it.part);
    // pairs with suspect_everything()
    if (suspicion_.load(std::memory_order_seq_cst) != suspicion)
      for (const item& it : items)
        if (!is_home(*it.where, it.index)) blocks_[it.index].set(block::suspect);
  }
  for (std::size_t i = 0; i != items.size(); ++i) {
    const item& it = items[i];
    let_pass(it.index, it.part, is_home(*it.where, it.index), *it.where);
    if (i + 1 == items.size() || items[i + 1].index != it.index) blocks_[it.index].unlock();
  }
  return newly_resident.size();
}

/// `mine` is found out at the first checkout that lasts.
bool memory::held_by_caller(const pin& p, std::optional<stack_range>& mine) const {
  if (p.offset.load(std::memory_order_relaxed) == 0) return false;
  if (!mine) mine = stack_of_caller();
  return mine->has(p.frame.load(std::memory_order_relaxed));
}

std::size_t memory::checked_out() {
  if (this_thread.memory_id != id_) return 0;
  std::size_t sum = 0;
  std::optional<stack_range> mine;
  for (const thread_pins* node = this_thread.pins; node != nullptr; node = node->more)
    for (const pin& p : node->pins) sum += held_by_caller(p, mine) ? 1 : 0;
  return sum;
}

void memory::refuse_held_checkout() {
  std::optional<stack_range> mine;
  for (const thread_pins* node = this_thread.pins; node != nullptr; node = node->more) {
    for (const pin& p : node->pins) {
      if (!held_by_caller(p, mine)) continue;
      const std::uint64_t offset = p.offset.load(std::memory_order_relaxed);
      platform::fatal(
          "KASURI_CHECK=checkout: %s is held over a fork or join, behind which the task may run "
          "elsewhere; accepted: check in before",
          describe({offset, p.bytes(), p.writes() ? access::read_write : access::read}).c_str());
    }
  }
  platform::fatal("KASURI_CHECK=checkout: a checkout is held over a fork or join");
}

void memory::report_conflict(const checkout_request& r) const {
  detail::real_atomics::fence_full();  // pairs with itself: of two that conflict one sees the other
  std::optional<stack_range> mine;  // most meet no other
  for (const pinned_range& other : pins_.collect()) {
    const bool meet = other.begin < r.offset + r.bytes && r.offset < other.end;
    if (!meet || !(other.writes || writes(r.mode))) continue;
    if (!mine) mine = stack_of_caller();
    if (!mine->has(other.frame)) {
      throw global::error(describe(r) + ": bytes " + std::to_string(other.begin) + " to " +
                          std::to_string(other.end) + " are checked out for " +
                          (other.writes ? "writing" : "reading") +
                          " by another task at the same time; accepted: disjoint ranges, or "
                          "reading by all");
    }
  }
}

}  // namespace kasuri::cluster
