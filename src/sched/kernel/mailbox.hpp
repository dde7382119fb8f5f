// SPDX-License-Identifier: Apache-2.0
#pragma once

// Frames sent to a place: the pool's inbox, a NUMA node's mailbox, a worker's.
//
// Behind a lock: what goes through it is rare (forks that span workers, tasks that asked for a
// place), and taking by depth or by name is simple that way. A thread that looks reads `deepest_`
// without the lock first.

#include <algorithm>
#include <cstddef>
#include <deque>
#include <mutex>
#include <new>

#include "kasuri/detail/atomics.hpp"
#include "kasuri/detail/frame.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/thread/mutex.hpp"

namespace kasuri::sched {

struct extent;
struct span_fork;

/// A frame on its way.
struct letter {
  detail::frame* what = nullptr;
  extent* range = nullptr;    // the frame is to wear this, or null; its runner deletes it
  span_fork* fork = nullptr;  // the fork that it is a side of, a use of it held; or null
  int depth = 0;              // of that fork
  int node = -1;              // where it was asked to run: a node ...
  int worker = -1;            // ... or a worker
};

/// A is the atomics. The models of tests/model have another lock.
template <class A, class Lock>
class mailbox_of {
 public:
  /// Snapshots.
  bool empty() const noexcept { return deepest() < 0; }
  /// Whether there is a letter of depth `least` or deeper.
  bool reaches(int least) const noexcept { return deepest() >= least; }

  /// Ends the process with a line where there is no memory: a frame would be lost.
  void put(const letter& l) noexcept {
    KASURI_EXPECT(cheap, l.what != nullptr && l.depth >= 0, "frame %p of depth %d",
                  static_cast<void*>(l.what), l.depth);
    const std::lock_guard hold(lock_);
    keep(l);
    // relaxed: before the fence in post_to_worker() of sched/pool/postbox.cpp
    if (l.range != nullptr) wide_.fetch_add(1, std::memory_order_relaxed);
    // relaxed: before the fences in send(), post_to_worker(), post_to_node() of
    // sched/pool/postbox.cpp
    if (l.depth > deepest()) deepest_.store(l.depth, std::memory_order_relaxed);
  }

  /// The oldest of depth `least` or deeper; false when there is none.
  bool take(letter& out, int least = 0) noexcept {
    if (!reaches(least)) return false;
    const std::lock_guard hold(lock_);
    return remove_first([least](const letter& l) { return l.depth >= least; }, out);
  }

  /// The oldest whose task wears a range that `may` accepts; false when there is none.
  template <class May>
  bool take_wide(letter& out, May may) noexcept {
    if (wide_.load(std::memory_order_relaxed) == 0) return false;
    const std::lock_guard hold(lock_);
    return remove_first([&](const letter& l) { return l.range != nullptr && may(*l.range); }, out);
  }
  /// Whether there is one. A snapshot.
  template <class May>
  bool has_wide(May may) const noexcept {
    // relaxed: after the fence in prepare_sleep() of sched/kernel/idle.hpp
    if (wide_.load(std::memory_order_relaxed) == 0) return false;
    const std::lock_guard hold(lock_);
    return std::ranges::any_of(
        letters_, [&](const letter& l) { return l.range != nullptr && may(*l.range); });
  }

  /// That frame's; false when somebody has taken it.
  bool take(letter& out, const detail::frame* f) noexcept {
    const std::lock_guard hold(lock_);
    return remove_first([f](const letter& l) { return l.what == f; }, out);
  }

  /// In the trees that run invariants: the words for those who look from outside say what is in
  /// here.
  void check() const noexcept {
    if constexpr (platform::expectations < platform::expect_level::all) return;
    const std::lock_guard hold(lock_);
    int most = none;
    int wide = 0;
    for (const letter& l : letters_) {
      most = std::max(most, l.depth);
      wide += l.range != nullptr ? 1 : 0;
    }
    KASURI_EXPECT(all, deepest() == most, "depth %d is noted, of %zu letters the deepest has %d",
                  deepest(), letters_.size(), most);
    const int noted = wide_.load(std::memory_order_relaxed);
    KASURI_EXPECT(all, noted == wide, "%d with a range are noted, %d of %zu have one", noted, wide,
                  letters_.size());
  }

  /// In the child of a fork, by its one thread: usable again if another thread was in here at the
  /// fork. It held the lock for ever, and the list is as it left it: this box begins anew then, and
  /// the old list is never freed. A lock that is free tells that the list is whole.
  void mend() {
    if (lock_.try_lock())
      lock_.unlock();
    else
      new (this) mailbox_of;
  }
  /// The same, and forgets all letters.
  void begin_anew() { new (this) mailbox_of; }

 private:
  void keep(const letter& l) noexcept {
    try {
      letters_.push_back(l);
    } catch (const std::bad_alloc&) {
      platform::fatal("no memory to send a task to its place (%zu are on their way)",
                      letters_.size());
    }
  }
  template <class Wanted>
  bool remove_first(Wanted wanted, letter& out) noexcept {
    for (auto l = letters_.begin(); l != letters_.end(); ++l) {
      if (!wanted(*l)) continue;
      out = *l;
      letters_.erase(l);
      if (out.range != nullptr) {
        const int before = wide_.fetch_sub(1, std::memory_order_relaxed);
        KASURI_EXPECT(cheap, before > 0, "%d letters with a range, %zu in all", before,
                      letters_.size());
      }
      if (letters_.empty() || out.depth == deepest()) note_deepest();
      return true;
    }
    return false;
  }
  int deepest() const noexcept {
    // relaxed: after the fence in prepare_sleep() of sched/kernel/idle.hpp
    return deepest_.load(std::memory_order_relaxed);
  }
  void note_deepest() noexcept {
    int most = none;
    for (const letter& l : letters_) {
      if (l.depth > most) most = l.depth;
      if (most == deepest()) return;  // at once, where all have one depth
    }
    deepest_.store(most, std::memory_order_relaxed);
  }

  mutable Lock lock_;
  std::deque<letter> letters_;
  typename A::template atomic<int> wide_{0};  // that wear a range
  static constexpr int none = -1;
  typename A::template atomic<int> deepest_{none};
};

using mailbox = mailbox_of<detail::real_atomics, platform::mutex>;

}  // namespace kasuri::sched
