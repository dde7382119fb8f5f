// SPDX-License-Identifier: Apache-2.0
#pragma once

// One word counts which workers of the pool run, look for work and sleep; and the sleep protocol.
//
// Fields of the word (12 bits each, the limit 16)
//   active      threads that hold a token: they run tasks or look for some. active <= limit, but
//               for moments after limit was lowered: then workers go to sleep at their next turn.
//   searching   active threads that look for work
//   sleeping    workers whose flag `asleep` is set and that nobody has claimed yet. Workers without
//               an OS thread count as sleeping: waking one starts its thread.
//   waiting     guests that wait for a token
//   limit       tokens there are: the configured workers, plus one for each thread that is known to
//               be blocked in the system, plus the spares lent by the monitor
//
// Claims. A thread that moves a worker from sleeping to active by a compare-and-swap on the word
// has a claim: it must clear exactly one `asleep` flag, or give the claim back. So always:
//   flags set = sleeping + claims not yet used.
//
// No lost wake-up. Work is visible when some deque, ring or inbox is not empty. Claimed: if work is
// visible, active < limit and nobody searches, then nobody sleeps for long, because
//   (1) the sleeper: set flag; word: searching - 1, sleeping + 1; limits of all deques to null;
//       fence_heavy; look for visible work; sleep.
//   (2) the pusher: store top; fence_light; load limit; not null -> done, without a look at the
//       word. null -> slow path: put the limit back; fence_full; read the word; nobody searching
//       and somebody sleeping -> wake one.
// If the push is not seen by the look in (1), then it came behind the barrier that fence_heavy made
// its thread pass, so it loads limit as null, or another push of the same owner did between and put
// it back. The latter read the word after its store of limit, hence (fence_full) after the
// sleeper's change of the word, and woke somebody. The woken one searches, and before it sleeps
// again it goes through (1) itself. A searcher that finds work and was the last wakes another if
// somebody sleeps: as long as somebody sleeps and work turns up there is a searcher. A thread that
// gives a token back while others sleep and nobody searches wakes one with it.
//
// tests/model explores (1) and (2) with the deque, exhaustively within stated bounds.

#include <cstdint>

#include "platform/base/bounds.hpp"
#include "platform/base/expect.hpp"
#include "sched/kernel/sleep_flag.hpp"

namespace kasuri::sched {

/// A snapshot of the word.
struct idle_counts {
  std::uint32_t active = 0;
  std::uint32_t searching = 0;
  std::uint32_t sleeping = 0;
  std::uint32_t waiting = 0;
  std::uint32_t limit = 0;
};

template <class A>
class idle {
 public:
  /// All `workers` sleep; `limit` tokens.
  void reset(std::uint32_t workers, std::uint32_t limit) noexcept {
    KASURI_EXPECT(cheap, workers <= platform::most_slots && limit <= platform::most_tokens,
                  "%u workers, %u tokens", workers, limit);
    word_.store(pack({.sleeping = workers, .limit = limit}), std::memory_order_relaxed);
  }

  /// The caller is active, with the only token, and nobody else is there to be woken.
  void reset_to_one() noexcept {
    word_.store(pack({.active = 1, .limit = 1}), std::memory_order_relaxed);
  }

  /// A snapshot. For claim() it is behind a fence_full of the caller.
  idle_counts counts() const noexcept {
    // relaxed: after the fence in send() of sched/pool/postbox.cpp, answer_thieves() of
    // sched/pool/steal.cpp and others that make work visible
    return unpack(word_.load(std::memory_order_relaxed));
  }

  /// A worker's quick look between tasks: is there a guest to let in, or a token too many?
  bool crowded() const noexcept {
    const idle_counts c = counts();
    return c.waiting != 0 || c.active > c.limit;
  }

  /// A guest takes a token; false when there is none.
  bool try_enter() noexcept {
    return change([](idle_counts& c) {
      if (c.active >= c.limit) return false;
      ++c.active;
      return true;
    });
  }

  /// A guest that found no token comes with one of its own, and leaves with it: no more and no
  /// fewer are free than before, so nobody is to be woken for either.
  void enter_with_token() noexcept {
    change([](idle_counts& c) {
      ++c.active;
      ++c.limit;
      return true;
    });
  }
  void leave_with_token() noexcept {
    change([](idle_counts& c) {
      --c.active;
      --c.limit;
      return true;
    });
  }

  /// A guest that got no token queues; false when there is one now. True: behind a full fence, as
  /// the limits of the deques must be for ask_all: a thread that holds a token sees the guest, or
  /// the guest the limit that this thread put back.
  bool start_waiting() noexcept {
    const bool waits = change([](idle_counts& c) {
      if (c.active < c.limit) return false;
      ++c.waiting;
      return true;
    });
    if (waits) A::fence_full();  // pairs with the fence_full in answer_thieves
    return waits;
  }

  /// A thread gives its token up for good. True: there is a claim to use on a sleeper. A full fence
  /// follows: the caller sees what was made visible by who saw no token free. `quiet`: no claim is
  /// made when no more than so many others are active.
  bool leave(int quiet = -1) noexcept {
    bool claim = false;
    change([&claim, quiet](idle_counts& c) {
      --c.active;
      claim = static_cast<int>(c.active) > quiet && claimable(c);
      if (claim) take_claim(c);
      return true;
    });
    A::fence_full();  // pairs with the fence_full before claim
    return claim;
  }

  /// A token passes to a waiting guest, if one waits and a token is free.
  bool grant() noexcept {
    return change([](idle_counts& c) {
      if (c.waiting == 0 || c.active >= c.limit) return false;
      --c.waiting;
      ++c.active;
      return true;
    });
  }

  void start_search() noexcept {
    change([](idle_counts& c) {
      ++c.searching;
      return true;
    });
  }

  /// The searcher has found work. True: it was the last, and there is a claim to use on a sleeper.
  bool stop_search() noexcept {
    bool claim = false;
    change([&claim](idle_counts& c) {
      --c.searching;
      claim = claimable(c);
      if (claim) take_claim(c);
      return true;
    });
    return claim;
  }

  /// A searching worker, its flag set, counts as asleep from here on.
  void fall_asleep() noexcept {
    change([](idle_counts& c) {
      --c.searching;
      --c.active;
      ++c.sleeping;
      return true;
    });
  }

  /// A claim on some sleeper, if one is wanted: nobody searches and a token is free. Behind a
  /// fence_full after the work was made visible.
  bool claim() noexcept {
    if (!claimable(counts())) return false;
    return change([](idle_counts& c) {
      if (!claimable(c)) return false;
      take_claim(c);
      return true;
    });
  }

  /// A claim for a worker that must run although others search; false when there is no token.
  bool claim_for_one() noexcept {
    return change([](idle_counts& c) {
      if (c.sleeping == 0 || c.active >= c.limit) return false;
      take_claim(c);
      return true;
    });
  }

  /// A token just granted is for a sleeper: makes it a claim. False when all sleepers are claimed.
  bool sleeper_was_granted() noexcept {
    return change([](idle_counts& c) {
      if (c.sleeping == 0) return false;
      --c.sleeping;
      ++c.searching;
      return true;
    });
  }

  /// A worker slot more, asleep.
  void add_sleeper() noexcept {
    change([](idle_counts& c) {
      ++c.sleeping;
      return true;
    });
  }

  /// Gives a claim back unused.
  void give_back() noexcept {
    change([](idle_counts& c) {
      ++c.sleeping;
      --c.active;
      --c.searching;
      return true;
    });
  }

  /// A claimed worker turned out not to exist (its thread could not be started).
  void claimed_worker_is_gone() noexcept {
    change([](idle_counts& c) {
      --c.active;
      --c.searching;
      return true;
    });
  }

  /// One token more or less.
  void add_token() noexcept {
    change([](idle_counts& c) {
      ++c.limit;
      return true;
    });
  }
  /// Behind a full fence, as start_waiting.
  void remove_token() noexcept {
    change([](idle_counts& c) {
      --c.limit;
      return true;
    });
    A::fence_full();  // pairs with the fence_full in answer_thieves
  }

  /// Puts the calling worker, searching, to sleep as far as the pool is concerned. True: sleep on
  /// the flag while it says dozing; the thread that clears it has made the worker active and
  /// searching. False: work is visible and the worker goes on searching. `all` has ask_all(): store
  /// null into every limit, and work_visible().
  template <class All>
  bool prepare_sleep(typename A::template atomic<std::uint32_t>& asleep, All& all) noexcept {
    asleep.store(flag::dozing, std::memory_order_relaxed);  // relaxed: before the fence below
    fall_asleep();
    // The pusher's slow path puts the limit back, passes its fence_full and reads the word: either
    // it sees us asleep, or ask_all sees the limit it put back.
    A::fence_full();  // pairs with the fence_full in answer_thieves
    all.ask_all();
    A::fence_heavy();  // pairs with the fence_light in deque_face::push and the fence_full of claim
    if (!all.work_visible()) return true;
    for (unsigned n = 0; !claim_for_one(); ++n) {
      const idle_counts c = counts();
      if (c.active >= c.limit)
        return true;  // no token: the thread that gives one back looks for us
      // All sleepers are claimed: for us, or by somebody who finds his one awake and gives it back.
      // relaxed: it is looked at again, and the sleep looks with acquire
      if (asleep.load(std::memory_order_relaxed) == flag::awake) return true;
      A::backoff(n);
    }
    // acq_rel: pairs with the exchange of the waker that may clear the flag first
    if (asleep.exchange(flag::awake, std::memory_order_acq_rel) != flag::awake) return false;
    give_back();  // another claim was used on us; this one is left over
    return false;
  }

 private:
  // The limit is the last field and has what is left of the word: there may be more tokens than
  // slots.
  static constexpr int bits = 12;
  static constexpr int fields_of_slots = 4;
  static constexpr int bits_of_limit = 64 - fields_of_slots * bits;
  static_assert(platform::most_slots < 1 << bits);
  static_assert(platform::most_tokens < 1 << bits_of_limit);

  static bool claimable(const idle_counts& c) noexcept {
    return c.sleeping != 0 && c.searching == 0 && c.waiting == 0 && c.active < c.limit;
  }
  static void take_claim(idle_counts& c) noexcept {
    KASURI_EXPECT(cheap, c.sleeping != 0 && c.active < c.limit,
                  "a claim on nobody: active %u, searching %u, sleeping %u, waiting %u, limit %u",
                  c.active, c.searching, c.sleeping, c.waiting, c.limit);
    --c.sleeping;
    ++c.active;
    ++c.searching;
  }

  static constexpr std::uint64_t pack(const idle_counts& c) noexcept {
    return std::uint64_t{c.active} | std::uint64_t{c.searching} << bits |
           std::uint64_t{c.sleeping} << 2 * bits | std::uint64_t{c.waiting} << 3 * bits |
           std::uint64_t{c.limit} << 4 * bits;
  }
  static constexpr idle_counts unpack(std::uint64_t w) noexcept {
    constexpr std::uint32_t mask = (1u << bits) - 1;
    const auto field = [w](int i) { return static_cast<std::uint32_t>(w >> i * bits) & mask; };
    return {field(0), field(1), field(2), field(3),
            static_cast<std::uint32_t>(w >> fields_of_slots * bits)};
  }

  /// Applies `step` atomically; false when step refuses.
  template <class Step>
  bool change(Step step) noexcept {
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    for (;;) {
      idle_counts c = unpack(seen);
      if (!step(c)) return false;
      KASURI_EXPECT(cheap, c.searching <= c.active && c.active <= platform::most_slots,
                    "active %u, searching %u, sleeping %u, waiting %u, limit %u", c.active,
                    c.searching, c.sleeping, c.waiting, c.limit);
      KASURI_EXPECT(cheap,
                    c.sleeping <= platform::most_slots && c.waiting <= platform::most_slots &&
                        c.limit <= platform::most_tokens,
                    "active %u, searching %u, sleeping %u, waiting %u, limit %u", c.active,
                    c.searching, c.sleeping, c.waiting, c.limit);
      // seq_cst: pairs with the fence_full before claim: the change and the push have one order. No
      // fence for what follows: a thread that looks at other words next passes one.
      if (word_.compare_exchange_weak(seen, pack(c), std::memory_order_seq_cst,
                                      std::memory_order_relaxed))
        return true;
    }
  }

  alignas(64) typename A::template atomic<std::uint64_t> word_{0};
};

}  // namespace kasuri::sched
