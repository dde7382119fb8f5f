// SPDX-License-Identifier: Apache-2.0
// What a release tells, and what an acquire does with it.
//
// A release brings all dirty bytes home, raises the versions of their blocks there if a rank reads
// versions, enters a notice for each range in the log, and gives out the log's position: in this
// order, each step at its place before the next begins. Bytes that are checked out for writing at
// that moment are left for a later release: what writes them is not ordered before this one.
//
// An acquire drops what the notices name: exactly these bytes, since others of the same block may
// be checked out, or written here and not told of. When it comes too late for the log, all blocks
// become suspect, and each is asked for its version before it is read again.

#include <algorithm>
#include <atomic>
#include <utility>

#include "cluster/memory/memory.hpp"
#include "platform/fatal.hpp"

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

token memory::token_now() const noexcept {
  token t;
  const std::uint64_t position = log_->position();
  if (position != 0) {
    t.words[0] = static_cast<std::uint64_t>(rank_) + 1;
    t.words[1] = position;
  }
  return t;
}

token memory::release() {
  expect_nothing_checked_out();
  if (ranks_ == 1 || !options_.cached) return {};  // what was written is at home
  tell();
  return token_now();
}

/// Brings home and tells of what is dirty.
void memory::tell() {
  // Raised when something is written first, lowered when it has been told; pairs with the end of
  // this function in another thread.
  if (untold_.load(std::memory_order_acquire) == 0) return;
  const std::scoped_lock one(releasing_);
  std::vector<std::uint64_t> indices;
  {
    const std::scoped_lock hold(lists_);
    indices.swap(dirty_blocks_);
  }
  std::uint64_t taken = indices.size();
  std::ranges::sort(indices);
  std::vector<global_range> told;
  for (std::size_t from = 0; from < indices.size(); from += batch) {
    const std::size_t n = std::min(batch, indices.size() - from);
    write_back({indices.data() + from, n}, told);
  }
  std::uint64_t left = 0;
  {
    // After the blocks: what eviction took from them meanwhile is here.
    const std::scoped_lock hold(lists_);
    told.insert(told.end(), brought_home_.begin(), brought_home_.end());
    taken += brought_home_.size();
    brought_home_.clear();
    for (std::uint64_t index : indices) {
      if (!blocks_[index].has(block::relisted)) continue;
      blocks_[index].reset(block::relisted);
      dirty_blocks_.push_back(index);
      ++left;
    }
  }
  merge(told);
  if (!told.empty()) {
    if (stamps_are_wanted()) raise_stamps(told);
    publish(told);
  }
  untold_.fetch_sub(taken - left, std::memory_order_release);  // pairs with the load above
}

void memory::write_back(std::span<const std::uint64_t> indices, std::vector<global_range>& told) {
  for (std::uint64_t index : indices) {
    lock(blocks_[index]);
    blocks_[index].writable.clear();
  }
  detail::real_atomics::fence_heavy();  // pairs with occupy() in every checkout
  std::vector<pinned_range> writing = pins_.collect();
  std::erase_if(writing, [](const pinned_range& p) { return !p.writes; });
  transfers under_way(network_);
  for (std::uint64_t index : indices) {
    block& b = blocks_[index];
    byte_set left;
    const std::uint64_t start = index << shift_;
    for (const pinned_range& p : writing) {
      const std::uint64_t begin = std::max(p.begin, start);
      const std::uint64_t end = std::min(p.end, start + mask_ + 1);
      if (begin >= end) continue;
      b.dirty.each_in({static_cast<std::uint32_t>(begin - start),
                       static_cast<std::uint32_t>(end - start)},
                      [&](byte_range r) { left.add(r); });
    }
    put_dirty(index, under_way, told, &left);
    b.dirty.assign(left);
  }
  counts_.waited_ns.add(under_way.finish());
  for (std::uint64_t index : indices) {
    block& b = blocks_[index];
    if (b.dirty.empty())
      b.reset(block::listed);
    else
      b.set(block::relisted);
    b.unlock();
  }
}

/// Begins to bring home the dirty bytes of a locked block, but for `left`.
void memory::put_dirty(std::uint64_t index, transfers& under_way, std::vector<global_range>& told,
                       byte_set* left) {
  const block& b = blocks_[index];
  if (b.dirty.empty()) return;
  const std::uint64_t start = index << shift_;
  const region* where = regions_.find(start, start);
  if (where == nullptr) return;  // an array that has ended
  const home_place home = where->home_of(start);
  for (const byte_range dirty : b.dirty.parts()) {
    const auto tell = [&](byte_range r) {
      if (home.rank != rank_ && options_.fault != planted_fault::write_back_skipped) {
        under_way.put(home.rank, where->memory, home.offset + r.begin, base_ + start + r.begin,
                      r.end - r.begin);
        counts_.written_back_bytes.add(r.end - r.begin);
      }
      told.push_back({start + r.begin, start + r.end});
    };
    if (left == nullptr)
      tell(dirty);
    else
      left->each_missing(dirty, tell);
  }
}

/// Versions are raised from when the first rank wants to read them. It says so at all ranks before
/// it reads the first: whoever has brought its bytes home, then looks, and does not see it, has
/// brought them home before any fetch that a version counts for.
bool memory::stamps_are_wanted() {
  if (options_.stamps_at_once || somebody_wants_stamps_.load(std::memory_order_relaxed)) return true;
  detail::real_atomics::fence_full();  // pairs with the flush in want_stamps()
  // What others put here is read as any word of a home part is.
  const std::atomic_ref<std::uint64_t> said(
      *reinterpret_cast<std::uint64_t*>(control_.local + stamps_word));
  if (said.load(std::memory_order_relaxed) == 0) return false;
  somebody_wants_stamps_.store(true, std::memory_order_relaxed);
  return true;
}

void memory::want_stamps() {
  // acquire: pairs with the end of this function in another thread
  if (options_.stamps_at_once || wants_stamps_.load(std::memory_order_acquire)) return;
  const std::scoped_lock one(wanting_);
  if (wants_stamps_.load(std::memory_order_relaxed)) return;
  std::uint64_t yes = 1;
  transfers under_way(network_);
  for (int r = 0; r != ranks_; ++r)
    under_way.put(r, control_, stamps_word, reinterpret_cast<std::byte*>(&yes), sizeof yes);
  counts_.waited_ns.add(under_way.finish());
  wants_stamps_.store(true, std::memory_order_release);  // pairs with the load above
}

void memory::raise_stamps(std::span<const global_range> told) {
  if (options_.fault == planted_fault::stamp_not_raised) return;
  const std::uint64_t stamp = (static_cast<std::uint64_t>(rank_) + 1) << 40 | ++stamp_number_;
  std::vector<std::uint64_t> same(batch, stamp);  // the network reads it until finish()
  transfers under_way(network_);
  const auto raise = [&](const region& where, global_range r) {
    for (std::uint64_t at = r.begin & ~mask_; at < r.end;) {
      const home_place home = where.home_of(at);
      const std::uint64_t bytes = std::min(home.run, r.end - at);
      std::uint64_t word = home.offset >> shift_;
      const std::uint64_t end = word + ((bytes + mask_) >> shift_);
      while (word < end) {
        const std::uint64_t n = std::min<std::uint64_t>(end - word, batch);
        under_way.put(home.rank, where.memory, where.stamps + word * 8,
                      reinterpret_cast<std::byte*>(same.data()), n * 8);
        word += n;
      }
      at += home.run;
    }
  };
  for (const global_range& r : told) {  // what was written in two arrays side by side is one range
    regions_.each_in(r.begin, r.end, [&](const region& where) {
      raise(where, {std::max(r.begin, where.begin), std::min(r.end, where.end)});
    });
  }
  under_way.finish();
}

/// Enters notices in the log.
void memory::publish(std::span<const global_range> told) {
  std::vector<notice> notices;
  if (options_.fault == planted_fault::notice_skipped) told = told.subspan(1);
  const std::scoped_lock hold(logging_);
  // More than the log holds would push out one another, and leave to the readers to find that out.
  if (told.size() > std::min(options_.most_notices, options_.log_entries)) {
    notices.push_back(notice::make(rank_, ++own_number_, 0, notice::all_bytes));
  } else {
    notices.reserve(told.size());
    for (const global_range& r : told)
      notices.push_back(notice::make(rank_, ++own_number_, r.begin, r.end));
  }
  log_->append(notices);
  counts_.notices_sent.add(notices.size());
}

void memory::acquire(const token& t) {
  expect_nothing_checked_out();
  if (ranks_ == 1 || t.words[0] == 0) return;
  const auto from_rank = static_cast<int>(t.words[0] - 1);
  const std::uint64_t to = t.words[1];
  std::atomic<std::uint64_t>& read_to = read_to_[static_cast<std::size_t>(from_rank)];
  // pairs with the end of this function in another thread
  if (from_rank == rank_ || read_to.load(std::memory_order_acquire) >= to) return;
  const std::scoped_lock one(acquiring_);
  const std::uint64_t from = read_to.load(std::memory_order_relaxed);
  if (from >= to) return;
  std::vector<notice> found;
  std::vector<notice> fresh;
  if (log_->read(from_rank, from, to, found)) {
    for (const notice& n : found) {
      std::uint64_t& known = known_[static_cast<std::size_t>(n.rank())];
      if (n.rank() == rank_ || n.number() <= known) continue;
      known = n.number();
      fresh.push_back(n);
      apply(n);
    }
    counts_.notices_applied.add(fresh.size());
  } else {
    suspect_everything();
    fresh.push_back({});  // made below
  }
  if (!fresh.empty() && options_.fault != planted_fault::nothing_passed_on) {
    const std::scoped_lock hold(logging_);
    if (fresh.back().end == 0)
      fresh.back() = notice::make(rank_, ++own_number_, 0, notice::all_bytes);
    log_->append(fresh);
  }
  read_to.store(to, std::memory_order_release);  // pairs with the load above
}

void memory::apply(const notice& n) {
  if (n.end == notice::all_bytes)
    suspect_everything();
  else
    drop({n.begin, n.end}, n.rank());
}

/// What is here of the range is no longer current, but for what was written here.
void memory::drop(global_range r, int writer) {
  block::fence_before_look();
  regions_.each_in(r.begin, r.end, [&](const region& where) {
    if (where.kind == region::kind_t::file) return;
    const std::uint64_t end = std::min(r.end, where.end);
    for (std::uint64_t at = std::max(r.begin, where.begin); at < end;) {
      const std::uint64_t start = at & ~mask_;
      const home_place home = where.home_of(start);
      if (home.rank == rank_) {
        at = start + home.run;
        continue;
      }
      const std::uint64_t stop = std::min(end, start + mask_ + 1);
      block& b = blocks_[start >> shift_];
      if (!b.untouched()) {
        lock(b);
        const byte_range part{static_cast<std::uint32_t>(at - start),
                              static_cast<std::uint32_t>(stop - start)};
        if (options_.checked) check_written(where, start, part, writer);
        std::vector<byte_range> clean;
        b.dirty.each_missing(part, [&](byte_range c) { clean.push_back(c); });
        b.readable.clear();
        for (byte_range c : clean) b.valid.remove(c);
        const auto parts = b.valid.parts();
        if (!b.has(block::suspect) && !parts.empty()) b.readable.set(parts.front());
        b.set(block::dropped);
        b.unlock();
      }
      at = stop;
    }
  });
}

/// Under checks: what another rank wrote and what is dirty here must not meet. What is ordered
/// before the notice was told of before it was made; what is ordered behind it was written after it
/// was read. Nothing can be said of heaps, since an old notice may be of an object that was freed
/// there, nor after an overflow, when a notice may come late.
void memory::check_written(const region& where, std::uint64_t start, byte_range part,
                           int writer) const {
  if (where.heap || suspicion_.load(std::memory_order_relaxed) != 0) return;
  blocks_[start >> shift_].dirty.each_in(part, [&](byte_range both) {
    platform::fatal(
        "KASURI_CHECK=checkout: bytes %llu to %llu of global memory are written by rank %d and by "
        "rank %d at the same time; accepted: an order by forks and joins between them",
        static_cast<unsigned long long>(start + both.begin),
        static_cast<unsigned long long>(start + both.end), writer, rank_);
  });
}

/// What was written here in the range and not brought home is nobody's any more.
void memory::forget_dirty(global_range r) {
  const std::scoped_lock none_under_way(releasing_);
  const std::scoped_lock nor_here(evicting_);
  for (std::uint64_t at = r.begin; at < r.end;) {
    const std::uint64_t start = at & ~mask_;
    const std::uint64_t stop = std::min(r.end, start + mask_ + 1);
    block& b = blocks_[start >> shift_];
    if (b.state.load(std::memory_order_relaxed) != 0) {
      lock(b);
      b.writable.clear();
      b.dirty.remove({static_cast<std::uint32_t>(at - start),
                      static_cast<std::uint32_t>(stop - start)});
      b.unlock();
    }
    at = stop;
  }
}

void memory::suspect_everything() {
  counts_.overflows.add(1);
  // pairs with the loads in bring_locked() and mark(): a fetch under way finds the number raised,
  // or has entered its blocks in the list
  suspicion_.fetch_add(1, std::memory_order_seq_cst);
  std::vector<std::uint64_t> all;
  {
    const std::scoped_lock hold(lists_);
    all.swap(watched_);
  }
  for (std::uint64_t index : all) {
    block& b = blocks_[index];
    lock(b);
    b.reset(block::watched);
    if (b.has(block::resident)) {
      b.set(block::suspect);
      b.readable.clear();
    }
    b.unlock();
  }
}

}  // namespace kasuri::cluster
