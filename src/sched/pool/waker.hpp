// SPDX-License-Identifier: Apache-2.0
#pragma once

// The workers that run and those that sleep: the counts of kernel/idle.hpp, which has the protocol;
// waking sleepers, for work that was made visible and for what one worker alone may run; and the
// threads that wait for a token.
//
// A token that comes free goes to the thread that has waited longest. A claim is the right, and the
// duty, to clear one sleeper's flag.

#include <atomic>
#include <cstdint>
#include <deque>

#include "platform/thread/mutex.hpp"
#include "sched/kernel/idle.hpp"
#include "sched/roster/os_threads.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

class pool;

class waker {
 public:
  /// `thread_main` is what the OS threads of workers run, with the worker as the argument.
  waker(pool& of, void* (*thread_main)(void*)) noexcept : of_(of), threads_(thread_main) {}
  waker(const waker&) = delete;
  waker& operator=(const waker&) = delete;

  idle_counts counts() const noexcept { return idle_.counts(); }
  idle<detail::real_atomics>& idle_word() noexcept { return idle_; }
  const idle<detail::real_atomics>& idle_word() const noexcept { return idle_; }
  os_threads& threads() noexcept { return threads_; }

  // ---- for work that anybody may take ---------------------------------------------------------

  /// Work was made visible, and a fence_full passed: wakes a sleeper if one is wanted.
  void work_is_visible() noexcept;

  /// The same where the caller's worker will not look at that work itself: any sleeper may come.
  void anybody_may_come() noexcept;

  /// Requests a frame of every owner: its next push takes the slow path, and looks for sleepers.
  void ask_all() noexcept;

  /// For the thread that has made a claim. `self`: its worker, for whose work the policy may want
  /// certain sleepers alone; null: for whatever waits.
  void use_claim(const worker* self = current()) noexcept;
  /// The claim is for `w`; it is given back when `w` is awake. False: the system gives no thread
  /// for it.
  bool use_claim_on(worker& w) noexcept;

  // ---- for one worker -------------------------------------------------------------------------

  /// A frame that only `w` may run: a thread pinned to it, or what somebody has for it alone. One
  /// at a time. False, and nothing happened, when the system gives no OS thread for it.
  bool deliver(worker& w, detail::frame* f) noexcept;

  /// Wakes `w`, if it sleeps, as soon as there is a token for it. False: there is no thread behind
  /// it, and none can be started now.
  bool call(worker& w) noexcept;

  /// Whether there is an OS thread behind `w`, or one can be started now: then it is, and looks for
  /// work.
  [[nodiscard]] bool has_thread_for(worker& w) noexcept {
    return w.has_thread.load(std::memory_order_relaxed) || call(w);
  }

  /// Behind a full fence that follows the change by which a token was given up: wakes the workers
  /// that were sent something and could not be woken because there was no token (either that sender
  /// saw the token, or we the frame), and those that stepped aside with work that others may not
  /// take. (Also before a sleep, where it is asked again behind the fence.)
  void wake_who_has_work() noexcept;

  /// For the thread of `w`, which was started by a claim and ends at once.
  void started_in_vain(worker& w) noexcept;

  // ---- the threads that wait for a token ------------------------------------------------------

  /// Queues `w`. False, and nothing queued, when there is a token now.
  bool queue_for_token(worker& w, worker::wish wish) noexcept;
  /// Waits until `w`, a guest that was queued, has a token.
  void wait_for_grant(worker& w) noexcept;
  /// Gives free tokens to those who wait.
  void grant_tokens() noexcept;

  /// For fork().
  void lock_waker() {
    threads_.lock();
    waiting_lock_.lock();
  }
  void unlock_waker() {
    waiting_lock_.unlock();
    threads_.unlock();
  }

 private:
  bool wakes_any(const worker& self) const noexcept;
  bool wake(worker& w, std::uint32_t was) noexcept;
  void free_frame_of(worker& gone) noexcept;
  worker& next_to_grant(worker::wish& wish) noexcept;
  void wake_granted(worker& w) noexcept;

  pool& of_;
  idle<detail::real_atomics> idle_;
  os_threads threads_;
  platform::mutex waiting_lock_;
  std::deque<worker*> waiting_;  // without a token, under waiting_lock_
};

}  // namespace kasuri::sched
