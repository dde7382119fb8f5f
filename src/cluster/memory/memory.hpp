// SPDX-License-Identifier: Apache-2.0
#pragma once

// Global memory of one process: arrays and heaps that lie in one address range at all ranks, kept
// by their homes and cached elsewhere, in place.
//
//   checkout.cpp   what is asked for is brought here, and kept while it is used
//   ahead.cpp      the same, begun before it is waited for
//   eviction.cpp   room for it
//   room.cpp       waiting for that, where all of the cache is in use
//   fences.cpp     what others wrote is learned of, and what was written here is told
//   uncached.cpp   the end of a checkout where nothing is to be kept
//   arrays.cpp     the address range and what it is given out for
//   heap.cpp       allocation by tasks
//   races.cpp      under checks: who used the same bytes in parallel
//
// An offset in the range is the same at all ranks, and is what ptr<T> holds; with same_address,
// addresses are the same too. Offset 0 is in no region.
//
// What a program may rely on: if it has no data race in the sense that two checkouts of the same
// byte, one of them for writing, are always ordered by forks and joins, then each read sees the
// write before it in that order. The argument, in the terms of fences.cpp: a write is at home, and
// its notice in the log, before the token that orders it is made; who acquires the token has
// dropped the bytes before it goes on; a fetch after that brings them from home; and a fetch before
// that is followed by the dropping, since both hold the block's lock.
//
// Locks, outer to inner: arrays_, then acquiring_ or releasing_, then evicting_, then blocks in
// rising order, then lists_, logging_, arriving_. With a block held only blocks above it are waited
// for; eviction tries, and so does what begins a fetch ahead.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "cluster/base/coherence.hpp"
#include "cluster/check/guarded_copies.hpp"
#include "cluster/check/shadow.hpp"
#include "cluster/memory/base/counters.hpp"
#include "cluster/memory/base/options.hpp"
#include "cluster/memory/base/transfers.hpp"
#include "cluster/memory/cache/block.hpp"
#include "cluster/memory/checkouts/pins.hpp"
#include "cluster/memory/notices/notice_log.hpp"
#include "cluster/memory/space/heap.hpp"
#include "cluster/memory/space/region.hpp"
#include "cluster/transport/network_lock.hpp"
#include "cluster/transport/transport.hpp"
#include "kasuri/global/access.hpp"

namespace kasuri::cluster {

using global::access;

/// Bytes [begin, end) of the address range.
struct global_range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct checkout_request {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  access mode = access::read;
};

/// What a checkout holds: the memory, and the pin that keeps it (null where nothing needs to).
struct held {
  std::byte* data = nullptr;
  pin* kept = nullptr;
};

class memory final : public coherence {
 public:
  /// Collective. Throws global::error where ranks disagree, or the system has no room.
  memory(transport& network, const memory_options& options);
  /// Collective. What was allocated ends.
  ~memory() override;

  token release() override;
  void acquire(const token& t) override;
  void ask(known_tasks* tasks) override { tasks_ = tasks; }
  void wait_by(task_host* host) override { host_ = host; }
  [[nodiscard]] bool is_global(std::uintptr_t address) const noexcept override {
    return address - reinterpret_cast<std::uintptr_t>(base_) < range_bytes_;
  }
  void begin_run() override;
  std::uint64_t at_fork(const program_point& here) override;

  /// Collective: an array of `bytes` bytes, zero at first; its offset. Chunks are whole blocks:
  /// `chunk` is rounded up. Blocked: `chunk` is ignored, each rank has one of equal size.
  /// `element`: bytes of an element, for messages.
  std::uint64_t allocate_blocked(std::uint64_t bytes, std::uint64_t element = 1);
  std::uint64_t allocate_cyclic(std::uint64_t bytes, std::uint64_t chunk, std::uint64_t element = 1);
  std::uint64_t allocate_listed(std::uint64_t bytes, std::uint64_t chunk,
                                const std::function<int(std::uint64_t)>& owner_of_chunk,
                                std::uint64_t element = 1);
  /// Collective: the file as a read-only array; `bytes` is set to its size.
  std::uint64_t map_file(const std::string& path, std::uint64_t& bytes);
  /// Collective: ends an array.
  void free_array(std::uint64_t offset);

  /// Memory of this process's heap. Any thread. Throws global::error where it is full.
  std::uint64_t allocate(std::uint64_t bytes);
  /// Gives back what allocate() gave, here or elsewhere.
  void deallocate(std::uint64_t offset, std::uint64_t bytes);

  /// Any thread; lasts until check_in() of the pin.
  held checkout(std::uint64_t offset, std::uint64_t bytes, access mode) {
    const std::uint64_t low = offset & mask_;
    const thread_seat seat = this_thread;
    if (plain_ && seat.memory_id == id_ && bytes <= mask_ + 1 - low && offset < range_bytes_)
      [[likely]] {
      if (pin* p = seat.pins->free_pin(); p != nullptr) [[likely]] {
        occupy(*p, offset, bytes, mode);
        block& b = blocks_[offset >> shift_];
        const auto begin = static_cast<std::uint32_t>(low);
        const auto end = static_cast<std::uint32_t>(low + bytes);
        const range_hint& hint = mode == access::read ? b.readable : b.writable;
        if (bytes != 0 && hint.covers(begin, end)) [[likely]] {
          b.touch();
          seat.pins->count_hit();
          return {base_ + offset, p};
        }
        p->drop();
      }
    }
    return checkout_slow(offset, bytes, mode);
  }

  /// Several at a time: one wait for all.
  void checkout_all(std::span<const checkout_request> requests, std::span<held> results);

  /// Ends a checkout; any thread.
  void check_in(pin& p) noexcept {
    if (p.ends_slowly()) [[unlikely]]
      check_in_slow(p);
    else
      p.drop();
  }

  /// A checkout that is to come: what it will have to fetch is on its way, as far as that could begin
  /// at once. Ends by finish() or abandon(), by any thread of the process.
  struct begun {
    pin* kept = nullptr;       // under checks: says that a checkout lasts
    std::uint64_t number = 0;  // of the fetch; 0: none
  };
  /// Throws where checkout() would, but for want of room: that is told by finish().
  begun begin(const checkout_request& r);
  held finish(const checkout_request& r, begun b);
  void abandon(begun b) noexcept;

  /// Checkouts of the calling thread that last.
  [[nodiscard]] std::size_t checked_out();
  /// Under checks: ends the process with a message if the calling task holds a checkout at a fork
  /// or join. Release and acquire do so too.
  void expect_nothing_checked_out() {
    if (options_.checked && checked_out() != 0) [[unlikely]]
      refuse_held_checkout();
  }

  /// Atomic operations on an aligned word, at its home. They order nothing else.
  std::uint64_t fetch_add(std::uint64_t offset, std::uint64_t value);
  std::uint64_t compare_swap(std::uint64_t offset, std::uint64_t expected, std::uint64_t desired);
  std::uint64_t load(std::uint64_t offset);
  void store(std::uint64_t offset, std::uint64_t value);

  [[nodiscard]] memory_counts counts() const;
  [[nodiscard]] std::byte* base() const noexcept { return base_; }
  [[nodiscard]] const memory_options& options() const noexcept { return options_; }
  [[nodiscard]] transport& network() const noexcept { return network_; }
  [[nodiscard]] std::uint64_t resident_bytes() const noexcept {
    return resident_bytes_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] int home_rank(std::uint64_t offset) const;

 private:
  struct thread_seat {
    std::uint64_t memory_id;
    thread_pins* pins;
  };
  static constinit thread_local thread_seat this_thread;

  /// One block of a checkout.
  struct item {
    std::uint64_t index;
    byte_range part;
    bool reads;
    bool writes;
    const region* where;
  };

  static void occupy(pin& p, std::uint64_t offset, std::uint64_t bytes, access mode) noexcept {
    p.extent.store(bytes * 2 + (mode == access::read ? 0 : 1), std::memory_order_relaxed);
    p.frame.store(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)),
                  std::memory_order_relaxed);
    p.offset.store(offset, std::memory_order_release);  // pairs with pin_registry::collect
    // The pin is written before the hints are read; pairs with fence_heavy in eviction and release.
    detail::real_atomics::fence_light();
  }

  // checkout.cpp
  held checkout_slow(std::uint64_t offset, std::uint64_t bytes, access mode);
  void hand_out_copy(const checkout_request& r, held& h);
  void check_in_slow(pin& p) noexcept;
  pin& claim(std::uint64_t offset, std::uint64_t bytes, access mode);
  const region& checked_region(std::uint64_t offset, std::uint64_t bytes, access mode) const;
  [[nodiscard]] bool covered(const checkout_request& r) const noexcept;
  bool serve_one(const checkout_request& r, const region& where);
  void bring(std::span<const checkout_request> requests, std::span<const region* const> where);
  std::uint64_t bring_locked(std::span<const item> items);
  void check_versions(std::span<const item> items);
  static void forget_clean(block& b);
  void fetch(std::span<const item> items);
  void begin_fetch(std::span<const item> items, transfers& under_way);
  [[nodiscard]] byte_range worth_fetching(const item& it) const noexcept;
  std::uint64_t mark(std::span<const item> items, std::uint64_t suspicion);
  bool mark_written(std::uint64_t index, byte_range part, bool home);
  void let_pass(std::uint64_t index, byte_range part, bool home, const region& where) noexcept;
  [[nodiscard]] bool is_home(const region& where, std::uint64_t index) const noexcept;
  void lock(block& b);
  [[nodiscard]] std::uint64_t index_of(const block& b) const noexcept {
    return static_cast<std::uint64_t>(&b - blocks_);
  }
  void report_conflict(const checkout_request& r) const;
  [[nodiscard]] std::string describe(const checkout_request& r) const;
  [[nodiscard]] bool held_by_caller(const pin& p, std::optional<stack_range>& mine) const;
  [[noreturn]] void refuse_held_checkout();

  // ahead.cpp
  struct arrival {
    explicit arrival(transport& network) noexcept : under_way(network) {}

    std::unique_ptr<arrival> next;
    std::uint64_t number = 0;
    std::vector<item> items;  // one for each block, rising
    transfers under_way;
    std::uint64_t suspicion = 0;
    std::uint64_t reserved = 0;  // blocks that try_reserve() has counted
  };
  std::uint64_t fetch_ahead(const checkout_request& r, const region& where);
  [[nodiscard]] bool worth_locking(const item& it);
  std::vector<item> worth_locking(const checkout_request& r, const region& where);
  std::unique_ptr<arrival> take_arrival(const std::function<bool(const arrival&)>& is);
  void land(std::unique_ptr<arrival> a);
  void land_block(std::uint64_t index);
  void land_all();

  // uncached.cpp
  void forget_checkout(pin& p) noexcept;
  void forget_blocks(const region& where, global_range part, bool wrote);
  void forget_bytes(std::uint64_t index, byte_range part);

  // races.cpp
  void note_use(const region& where, std::uint64_t offset, std::uint64_t bytes, use what);
  [[noreturn]] void report_race(const region& where, const found_race& found,
                                const access_mark& now, judge& order);

  // eviction.cpp
  bool try_reserve(std::uint64_t bytes);
  bool take_room(std::uint64_t bytes) noexcept;
  [[nodiscard]] std::uint64_t room() const noexcept { return options_.cache_bytes - most_spare_; }
  enum class eviction {
    some,        // there is more room than before
    all_locked,  // all that could go is checked out, or others are about to change it
    all_pinned,  // all of it is checked out
  };
  enum class victims { any, clean };
  eviction evict_some(std::uint64_t wanted);
  eviction evict_some(victims which);
  std::vector<std::uint64_t> candidates(victims which, bool& met_locked);
  void evict(std::span<const std::uint64_t> indices, const std::vector<bool>& keep);
  void take_memory_of(std::span<const std::uint64_t> indices);
  void provide_memory(std::span<const item> items);
  bool move_spare(std::uint64_t to, std::uint64_t count);
  void discard(std::uint64_t first, std::uint64_t count);

  // room.cpp
  void reserve(std::uint64_t bytes, const checkout_request& first);
  class room_waiter;
  [[nodiscard]] stack_range stack_of_caller() const;
  [[nodiscard]] bool is_copy(const pinned_range& p) const;
  [[nodiscard]] bool all_wait_for_room(const room_waiter& me) const;
  [[nodiscard]] bool only_waiters_hold(const room_waiter& me, std::uint64_t& left) const;
  bool give_up_waiting(room_waiter& me, std::uint64_t left);

  // fences.cpp
  void tell();
  void write_back(std::span<const std::uint64_t> indices, std::vector<global_range>& told);
  void put_dirty(std::uint64_t index, transfers& under_way, std::vector<global_range>& told,
                 byte_set* left);
  void raise_stamps(std::span<const global_range> told);
  [[nodiscard]] bool stamps_are_wanted();
  void want_stamps();
  void publish(std::span<const global_range> told);
  void apply(const notice& n);
  void drop(global_range r, int writer);
  void check_written(const region& where, std::uint64_t start, byte_range part, int writer) const;
  void forget_dirty(global_range r);
  void suspect_everything();
  token token_now() const noexcept;

  // Of the control window: the words that atomic operations are used on, then the ring of the log.
  static constexpr std::uint64_t log_word = 0;
  static constexpr std::uint64_t stamps_word = 32;  // not 0: a rank reads the versions of blocks
  static constexpr std::uint64_t freed_word = 64;
  static constexpr std::uint64_t ring_start = 128;

  // arrays.cpp
  void check_options();
  void reserve_range();
  void make_tables();
  std::uint64_t add_region(std::unique_ptr<region> r, std::uint64_t bytes);
  [[nodiscard]] std::uint64_t heap_start() const noexcept { return options_.block_bytes; }
  void alias_home_parts(const region& r);
  void forget_region(const region& r);
  const region& region_of_word(std::uint64_t offset, home_place& home);

  /// What the region has of a block: the last one may be used in part.
  [[nodiscard]] byte_range used_of(const region& where, std::uint64_t index) const noexcept {
    const std::uint64_t rest = where.used - (index << shift_);
    return {0, static_cast<std::uint32_t>(rest < mask_ + 1 ? rest : mask_ + 1)};
  }

  // Read on the fast path.
  bool plain_ = false;  // more than one rank, and no checks wanted
  unsigned shift_ = 0;
  std::uint64_t mask_ = 0;
  std::uint64_t id_ = 0;  // of this memory, never used again
  std::uint64_t range_bytes_ = 0;
  std::byte* base_ = nullptr;
  block* blocks_ = nullptr;

  transport& network_;
  const memory_options options_;
  const std::uint64_t most_spare_;  // bytes of cache_bytes that evicted blocks may keep
  const int rank_;
  const int ranks_;
  bool overlaps_ = false;  // fetches may go on while nobody waits for them
  region_map regions_;
  mutable std::atomic<const region*> last_region_{nullptr};  // alone: where the last checkout was
  pin_registry pins_;
  mutable live_counts counts_;

  std::mutex arrays_;  // collective calls and the heap's
  window control_;     // the log, and the words of log and heap
  std::unique_ptr<notice_log> log_;
  std::unique_ptr<heap> heap_;
  std::uint64_t heap_part_ = 0;  // bytes of each rank

  // Under checks.
  std::unique_ptr<shadow> shadow_;
  std::unique_ptr<guarded_copies> copies_;
  known_tasks* tasks_ = nullptr;
  task_host* host_ = nullptr;  // null: who calls is no task
  std::uint64_t run_ = 0;  // which; changes while no task runs

  /// Blocks that lie side by side, evicted, whose memory is there still.
  struct spare_run {
    std::uint64_t first;
    std::uint64_t count;
  };

  network_lock lists_;                           // guards the next eight
  std::deque<std::uint64_t> clock_;              // resident blocks in the order of eviction
  std::vector<std::uint64_t> dirty_blocks_;      // of which `listed` is set
  std::vector<global_range> brought_home_;       // by eviction, not told of yet
  std::vector<std::uint64_t> watched_;           // blocks met since everything became suspect
  // With the cache off: what checkouts have brought here and not forgotten yet, by block.
  std::unordered_multimap<std::uint64_t, byte_range> unkept_;
  std::deque<spare_run> spares_;
  std::uint64_t spare_blocks_ = 0;               // in spares_
  std::atomic<std::uint64_t> untold_{0};         // sizes of the last two; read without the lock
  std::atomic<std::uint64_t> resident_bytes_{0};

  mutable std::mutex waiting_;                   // guards the next two
  std::uint64_t left_waiting_ = 0;               // how often one has left waiters_
  std::vector<const room_waiter*> waiters_;      // for room; each on a stack that goes no further

  network_lock evicting_;
  network_lock releasing_;
  network_lock acquiring_;
  network_lock logging_;                         // guards the next two
  network_lock wanting_;
  network_lock arriving_;                        // guards the next two
  std::unique_ptr<arrival> arrivals_;            // the newest first
  std::uint64_t last_arrival_ = 0;
  std::atomic<std::uint64_t> under_way_{0};      // blocks of arrivals, until they have landed
  std::atomic<bool> wants_stamps_{false};  // this rank does, and has said so at all
  std::atomic<bool> somebody_wants_stamps_{false};
  std::uint64_t own_number_ = 0;                 // of the last notice of this rank
  std::uint64_t stamp_number_ = 0;
  std::vector<std::uint64_t> known_;             // under acquiring_: last number entered, by rank
  std::unique_ptr<std::atomic<std::uint64_t>[]> read_to_;  // in the logs of others
  std::atomic<std::uint64_t> suspicion_{0};      // how often everything became suspect
};

}  // namespace kasuri::cluster
