// SPDX-License-Identifier: Apache-2.0
// The way to work from outside (src/sched/kernel/outside_door.hpp), the very source: who looks, who
// calls, and who takes the object away and destroys it. A use after that is a data race on the
// object; and the door as it once stood in pool.cpp, where who called did not say so.
#include "sched/kernel/outside_door.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "flawed_atomics.hpp"

namespace kasuri::model {
namespace {

struct thing {
  plain<int> alive{1};
  plain<int> touched[2]{{0}, {0}};
};

struct who {};

/// Thread 0 ends the door and destroys the object; thread 1 looks, thread 2 calls.
template <class A, bool with_caller>
struct ends {
  static constexpr int threads = with_caller ? 3 : 2;
  ends() { door_.open(object_); }

  void run(int thread) {
    if (thread == 0) {
      door_.end([](thing&) {});
      object_.alive = 0;
      object_.touched[0] = 2;
      object_.touched[1] = 2;
    } else if (thread == 1) {
      if (thing* const o = door_.enter(me_)) {
        use(*o, 0);
        door_.leave(me_);
      }
    } else {
      door_.with([this](thing& o) { use(o, 1); });
    }
  }
  void check() {}

 private:
  void use(thing& o, int by) {
    require(o.alive == 1, "the object is gone");
    o.touched[by] = 1;
  }

  thing object_;
  who me_;
  sched::outside_door<A, thing, who> door_;
};

/// As it stood: a pointer from before is used, or one that nobody was told of.
struct unannounced {
  static constexpr int threads = 2;
  explicit unannounced(bool looks) : looks_(looks) {}

  void run(int thread) {
    if (thread == 0) {
      object_.exchange(nullptr, std::memory_order_seq_cst);
      while (looker_.load(std::memory_order_acquire) != 0) atomics::pause();
      alive_ = 0;
      return;
    }
    if (object_.load(std::memory_order_relaxed) == nullptr) return;
    if (looks_) {
      int nobody = 0;
      looker_.compare_exchange_strong(nobody, 1, std::memory_order_acquire,
                                      std::memory_order_relaxed);
      if (object_.load(std::memory_order_seq_cst) != nullptr) require(alive_ == 1, "gone");
      looker_.store(0, std::memory_order_release);
    } else {
      require(alive_ == 1, "gone");
    }
  }
  void check() {}

 private:
  bool looks_;
  atomic<unannounced*> object_{this};
  atomic<int> looker_{0};
  plain<int> alive_{1};
};

/// Who looks outside naps there instead of on its flag (search.cpp, pool::nap_outside and
/// pool::wake, transcribed). Thread 0 naps, thread 1 wakes it. `backwards`: the waker asks whether
/// it naps before it has cleared the flag.
template <class A>
struct nap {
  static constexpr int threads = 2;
  explicit nap(bool backwards) : backwards_(backwards) {}

  void run(int thread) {
    if (thread == 0) {
      naps_.store(1, relaxed);
      A::fence_full();
      if (asleep_.load(relaxed) == 1)
        while (called_.load(acquire) == 0) A::futex_wait(called_, 0);
      naps_.store(0, relaxed);
    } else {
      const bool naps = backwards_ && naps_.load(relaxed) != 0;
      asleep_.exchange(0, std::memory_order_acq_rel);
      A::fence_full();
      if (!(backwards_ ? naps : naps_.load(relaxed) != 0)) return;
      called_.store(1, release);
      A::futex_wake(called_, 1);
    }
  }
  void check() {}

 private:
  static constexpr auto relaxed = std::memory_order_relaxed;
  static constexpr auto acquire = std::memory_order_acquire;
  static constexpr auto release = std::memory_order_release;
  bool backwards_;
  typename A::template atomic<int> asleep_{1};
  typename A::template atomic<int> naps_{0};
  typename A::template atomic<int> called_{0};
};

/// Thread 0 looks, has no token and leaves that to who has one; thread 1 has the only one, has left
/// looking to thread 0 and goes to sleep (pool::nap_outside and pool::sleep, transcribed). One of
/// the two must look. `backwards`: thread 1 asks whether anybody looks before it has given its
/// token up.
template <class A>
struct passes_on {
  static constexpr int threads = 2;
  explicit passes_on(bool backwards) : backwards_(backwards) {
    door_.open(object_);
    static_cast<void>(door_.enter(me_));
  }

  void run(int thread) {
    if (thread == 0) {
      door_.leave(me_);
      A::fence_full();
      looks_[0] = claim();
    } else {
      const bool nobody = backwards_ && !door_.somebody_looks();
      tokens_.store(1, std::memory_order_release);
      A::fence_full();
      looks_[1] = (backwards_ ? nobody : !door_.somebody_looks()) && claim();
    }
  }
  void check() { require(looks_[0] || looks_[1], "nobody looks outside"); }

 private:
  bool claim() {
    int one = 1;
    return tokens_.compare_exchange_strong(one, 0, std::memory_order_acquire,
                                           std::memory_order_relaxed);
  }
  bool backwards_;
  thing object_;
  who me_;
  sched::outside_door<A, thing, who> door_;
  typename A::template atomic<int> tokens_{0};
  bool looks_[2] = {false, false};
};

constexpr const char* unwatched = "nobody looks outside";

TEST(outside, nobody_uses_what_has_been_taken_away) {
  expect_sound(explore<ends<atomics, false>>({.name = "who looks"}));
  expect_sound(explore<ends<atomics, true>>({.name = "who looks and who calls"}));
}

TEST(outside, needs_its_orders) {
  expect_found(explore<ends<without_orders, false>>({.name = "without orders"}), "data race");
}

TEST(outside, a_caller_must_say_so_and_a_looker_in_one_order) {
  for (const bool looks : {false, true})
    expect_found(explore<unannounced>({.name = "unannounced"}, looks), "data race");
}

TEST(outside, who_naps_there_is_woken) {
  expect_sound(explore<nap<atomics>>({.name = "nap"}, false));
  expect_found(explore<nap<without_full_fence>>({.name = "nap, no fence"}, false), asleep_for_ever);
  expect_found(explore<nap<atomics>>({.name = "nap, backwards"}, true), asleep_for_ever);
}

TEST(outside, somebody_looks) {
  expect_sound(explore<passes_on<atomics>>({.name = "passes on"}, false));
  expect_found(explore<passes_on<without_full_fence>>({.name = "passes on, no fence"}, false),
               unwatched);
  expect_found(explore<passes_on<atomics>>({.name = "passes on, backwards"}, true), unwatched);
}

}  // namespace
}  // namespace kasuri::model
