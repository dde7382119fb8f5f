// SPDX-License-Identifier: Apache-2.0
// The way to work from outside (src/sched/outside_door.hpp), the very source: who looks, who calls, and who takes
// the object away and destroys it. A use after that is a data race on the object; and the door as it once stood
// in pool.cpp, where who called did not say so.
#include "sched/outside_door.hpp"

#include <gtest/gtest.h>

#include "explorer/explore.hpp"
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
      looker_.compare_exchange_strong(nobody, 1, std::memory_order_acquire, std::memory_order_relaxed);
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

TEST(outside, nobody_uses_what_has_been_taken_away) {
  const report two = explore<ends<atomics, false>>({.name = "who looks"});
  EXPECT_TRUE(two.complete && !two.failed) << two.text();
  const report three = explore<ends<atomics, true>>({.name = "who looks and who calls"});
  EXPECT_TRUE(three.complete && !three.failed) << three.text();
  std::printf("%s\n%s\n", two.text().c_str(), three.text().c_str());
}

TEST(outside, needs_its_orders) {
  EXPECT_TRUE((explore<ends<without_orders, false>>({.name = "without orders"}).failed));
}

TEST(outside, a_caller_must_say_so_and_a_looker_in_one_order) {
  for (const bool looks : {false, true})
    EXPECT_TRUE(explore<unannounced>({.name = "unannounced"}, looks).failed) << looks;
}

}  // namespace
}  // namespace kasuri::model
