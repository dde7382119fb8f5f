// SPDX-License-Identifier: Apache-2.0
#pragma once

// The permits of an arena: so many workers may run its tasks at once, each with a permit of its
// own.
//
//   a worker has a frame of the arena    take_or_wait: it has a permit, or the frame waits here
//   ... and no further one               take_waiting: it goes on with the frame that waits longest
//   ... and none waits                   give_back: the permit is free
//   ... goes on with something else      give_back: the frame that waits longest is to try again
//   ... must leave the frame to another  promise: the permit goes with the frame
//   a holder comes by a frame that was
//   on its way                           arrived: it needs no further permit
//
// A frame that is to try again is on its way to some worker, and that may take long. So its permit
// is free meanwhile, and another frame may have it first; but once only. The frame then waits in
// front of all others, and the next permit that is given back is kept for it.
//
// Invariant: while frames wait here, there are at most as many free permits as frames on their way.
// So frames wait only while others hold the permits, and the last holder leaves none behind.
//
// Behind a lock: a worker comes here when it begins with an arena and when it ends with it, not for
// each task. A thief reads free_ without the lock, as a hint.

#include <algorithm>
#include <cstddef>
#include <deque>
#include <limits>
#include <mutex>
#include <new>
#include <vector>

#include "kasuri/detail/atomics.hpp"
#include "kasuri/detail/frame.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/thread/mutex.hpp"

namespace kasuri::sched {

/// A is the atomics. The models of tests/model have another lock.
template <class A, class Lock>
class permits_of {
 public:
  /// More than there are workers. Permits are counted all the same: an arena ends when all are
  /// back.
  static constexpr int no_bound = std::numeric_limits<int>::max();

  explicit permits_of(int most = 0) noexcept : most_(most), free_(most) {}

  /// So many permits, all of them free. Nobody else uses it.
  void begin(int most) noexcept {
    KASURI_EXPECT(cheap, most > 0 && waiting_.empty() && on_way_.empty() && promised_.empty(),
                  "%d permits; %zu frames wait, %zu are on their way, %zu with a permit", most,
                  waiting_.size(), on_way_.size(), promised_.size());
    most_ = most;
    free_.store(most, std::memory_order_relaxed);
  }

  int most() const noexcept { return most_; }

  /// A snapshot, of a bound that an arena in the same place may have had before.
  bool has_room() const noexcept {
    // relaxed: after the fence in prepare_sleep() of sched/kernel/idle.hpp, or a hint
    return free_.load(std::memory_order_relaxed) > 0;
  }

  /// Whether all permits are free and nothing waits.
  bool at_rest() const noexcept {
    const std::lock_guard hold(lock_);
    return free() == most_ && waiting_.empty();
  }

  /// The caller has a permit. False: there is none, and `f` waits.
  [[nodiscard]] bool take_or_wait(detail::frame* f) noexcept {
    const std::lock_guard hold(lock_);
    if (remove(promised_, f)) return true;
    const bool has_lost = remove(on_way_, f);
    if (take_locked()) return true;
    keep(f, has_lost);
    return false;
  }

  /// The same for a frame that has not waited; and nothing waits.
  [[nodiscard]] bool try_take() noexcept {
    const std::lock_guard hold(lock_);
    return take_locked();
  }

  /// Has `f`, which has not waited, wait. False, and nothing has happened: a permit is free.
  [[nodiscard]] bool wait_if_full(detail::frame* f) noexcept {
    const std::lock_guard hold(lock_);
    if (free() != 0) return false;
    keep(f, false);
    return true;
  }

  /// For a holder that goes on with it: the frame that has waited longest, or null.
  detail::frame* take_waiting() noexcept {
    // relaxed: a holder that misses the newest looks again in give_back
    if (count_.load(std::memory_order_relaxed) == 0) return nullptr;
    const std::lock_guard hold(lock_);
    return waiting_.empty() ? nullptr : take_first().what;
  }

  struct given_back {
    detail::frame* next;  // the frame that has waited longest, which is to try again; or null
    bool opened;          // the permit is free, and none was before
  };

  /// The caller gives its permit back.
  given_back give_back() noexcept {
    const std::lock_guard hold(lock_);
    return give_back_locked();
  }

  /// Whether frames are on their way that have waited. The caller that holds such a one sees it.
  bool has_sent() const noexcept { return sent_.load(std::memory_order_relaxed) != 0; }

  /// A holder goes on with `f`, which may have waited.
  given_back arrived(const detail::frame* f) noexcept {
    const std::lock_guard hold(lock_);
    if (remove(promised_, f)) return give_back_locked();
    // Another may have the permit that it was to try for.
    if (!remove(on_way_, f) || waiting_.empty() || is_sound()) return {nullptr, false};
    detail::frame* const next = take_first().what;
    note(on_way_, next);
    return {next, false};
  }

  /// The caller's permit goes with `f`, which is to go on elsewhere, and comes here for it.
  void promise(detail::frame* f) noexcept {
    const std::lock_guard hold(lock_);
    note(promised_, f);
  }

 private:
  /// A frame that waits.
  struct entry {
    detail::frame* what = nullptr;
    bool has_lost = false;  // it was on its way, and found no permit
  };

  given_back give_back_locked() noexcept {
    const entry next = waiting_.empty() ? entry{} : take_first();
    if (next.has_lost) {
      note(promised_, next.what);
      return {next.what, false};
    }
    if (next.what != nullptr) note(on_way_, next.what);
    const int before = free();
    KASURI_EXPECT(cheap, before >= 0 && before < most_, "%d of %d permits are free, and one more",
                  before, most_);
    // relaxed: before the fence in follow() of sched/run/gate.cpp
    free_.store(before + 1, std::memory_order_relaxed);
    check();
    return {next.what, before == 0};
  }

  int free() const noexcept { return free_.load(std::memory_order_relaxed); }

  bool take_locked() noexcept {
    const int n = free();
    if (n == 0) return false;
    free_.store(n - 1, std::memory_order_relaxed);
    return true;
  }

  void keep(detail::frame* f, bool in_front) noexcept {
    try {
      if (in_front)
        waiting_.push_front({f, true});
      else
        waiting_.push_back({f, false});
    } catch (const std::bad_alloc&) {
      no_memory();
    }
    count_.store(waiting_.size(), std::memory_order_relaxed);
    check();
  }

  entry take_first() noexcept {
    const entry first = waiting_.front();
    waiting_.pop_front();
    count_.store(waiting_.size(), std::memory_order_relaxed);
    return first;
  }

  void note(std::vector<detail::frame*>& list, detail::frame* f) noexcept {
    try {
      list.push_back(f);
    } catch (const std::bad_alloc&) {
      no_memory();
    }
    count_sent();
  }

  /// Whether it was there.
  bool remove(std::vector<detail::frame*>& list, const detail::frame* f) noexcept {
    const auto at = std::ranges::find(list, f);
    if (at == list.end()) return false;
    list.erase(at);
    count_sent();
    return true;
  }

  void count_sent() noexcept {
    sent_.store(on_way_.size() + promised_.size(), std::memory_order_relaxed);
  }

  /// Ends the process with a line: a frame would be lost.
  [[noreturn]] void no_memory() const noexcept {
    platform::fatal("no memory to have a task wait for its arena (%zu wait)", waiting_.size());
  }

  /// The invariant.
  bool is_sound() const noexcept {
    return waiting_.empty() || static_cast<std::size_t>(free()) <= on_way_.size();
  }
  void check() const noexcept {
    KASURI_EXPECT(cheap, is_sound(),
                  "%zu frames wait while %d permits are free for the %zu on their way",
                  waiting_.size(), free(), on_way_.size());
  }

  mutable Lock lock_;
  int most_;
  std::deque<entry> waiting_;
  std::vector<detail::frame*> on_way_;                 // they are to try again
  std::vector<detail::frame*> promised_;               // the same, and a permit is kept for each
  typename A::template atomic<std::size_t> sent_{0};   // of both
  typename A::template atomic<std::size_t> count_{0};  // of waiting_
  typename A::template atomic<int> free_;
};

using permits = permits_of<detail::real_atomics, platform::mutex>;

}  // namespace kasuri::sched
