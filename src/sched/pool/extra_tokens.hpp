// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tokens beyond the configured ones, which the limit of kernel/idle.hpp counts too.
//
//   brought   by guests that come for short times and find none free: each hand-over of a token
//             would leave a processor idle. Only where the user configured as many workers as there
//             are processors, so that the program uses no more than the user allowed.
//   lent      for a worker that is blocked in the system, or that the monitor found stuck: another
//             thread, a spare if need be, runs in its place until it goes on

#include <atomic>

#include "sched/worker/worker.hpp"

namespace kasuri::sched {

class pool;

class extra_tokens {
 public:
  explicit extra_tokens(pool& of) noexcept : of_(of) {}
  extra_tokens(const extra_tokens&) = delete;
  extra_tokens& operator=(const extra_tokens&) = delete;

  /// Reads the settings; none is lent.
  void begin_anew_extra() noexcept;

  bool guests_may_bring() const noexcept { return guests_may_bring_; }
  void bring_token(worker& guest) noexcept;
  void take_brought_token_away(worker& guest) noexcept;
  /// Whether there are more guests than tokens for them, so that processors are not to be kept for
  /// nothing.
  bool full_of_guests() const noexcept { return brought_.load(std::memory_order_relaxed) != 0; }

  /// One more thread may run, because `stuck` does not make progress. Take it back with
  /// take_token_back.
  void lend_token(worker& stuck) noexcept;
  /// ... because a frame whose time has come waits. It shares the processor of `computing`.
  void lend_for_due(worker& computing) noexcept;
  void take_token_back() noexcept;
  /// Makes spare workers, which sleep, until as many workers sleep as tokens are free; the caller
  /// frees `more` tokens in a moment. Makes no more spares than KASURI_MAX_SPARES. lend_token
  /// counts a guest that sleeps as a taker of the token; the guest may leave the pool before it
  /// takes it.
  void have_sleepers(std::uint32_t more) noexcept;
  /// Work waits, tokens are free, and nobody sleeps or searches: makes sure that somebody comes.
  void send_free_tokens() noexcept;
  /// Whether more threads than configured may run, since some are stuck or blocked.
  bool lends() const noexcept {
    // relaxed: after the fence in prepare_sleep() of sched/kernel/idle.hpp, where a pool ends
    return lent_.load(std::memory_order_relaxed) > 0;
  }
  /// Whether as many tokens are lent as there may be spare threads, or more.
  bool spares_used_up() const noexcept {
    return lends() && lent_.load(std::memory_order_relaxed) >= most_spares_;
  }
  /// The worker for which one was lent last.
  int lent_for() const noexcept { return lent_for_.load(std::memory_order_relaxed); }

  /// The caller, a worker's thread, is about to block in the system, resp. is back.
  void blocking_begin(worker& w) noexcept;
  void blocking_end(worker& w) noexcept;

  /// A token for each worker, so that all that is left is run, wherever it lies.
  void lend_to_all() noexcept;

  /// In the child of a fork, whose one thread is that of `w`.
  void leave_tokens_in_child(worker& w) noexcept;

 private:
  void lend(int index) noexcept;
  bool some_are_gone() const noexcept;
  bool revive_one() noexcept;

  pool& of_;
  int most_spares_ = 0;
  bool guests_may_bring_ = false;
  std::atomic<int> brought_{0};
  std::atomic<int> lent_{0};
  std::atomic<int> spares_{0};  // workers that were made for lent tokens; they stay
  std::atomic<int> lent_for_{0};
};

}  // namespace kasuri::sched
