// SPDX-License-Identifier: Apache-2.0
// The users of a root (src/omp/base/root_hold.hpp), the very source: a region that has begun on
// one OS thread and ends on another, while the first ends too, or waits to use the root again.
// Around it, as in omp/team/root.cpp: both write to the root before they let it go, and the last
// one frees it.
#include "omp/base/root_hold.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "flawed_atomics.hpp"

namespace kasuri::model {
namespace {

constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

// What is done wrong by hand.
enum class flaw {
  none,
  looks_behind_the_end,    // the region looks at the root when it has given it back
  looks_behind_the_leave,  // the OS thread looks at it when it has left
};

/// Thread 0 is the OS thread, on which the region begins; thread 1 goes on with the region.
template <class A>
class root_of_a_thread {
 public:
  static constexpr int threads = 2;
  explicit root_of_a_thread(bool again, flaw what) : again_(again), what_(what) {}

  void run(int thread) { thread == 0 ? be_thread() : be_region(); }
  void check() { require(freed_ == 1, "the root was not freed once"); }

 private:
  void be_thread() {
    begin(1);
    if (again_) {
      while (hold_.held()) atomics::pause();
      require(teams_ == 2, "what the region has left there is not seen");
      begin(3);
    }
    spares_ = 0;
    if (hold_.leave()) return free();
    if (what_ == flaw::looks_behind_the_leave) spares_ = 1;
  }

  void begin(int number) {
    hold_.take();
    teams_ = number;
    begun_.store(static_cast<std::uint32_t>(number), release);
  }

  void be_region() {
    end(1);
    if (again_) end(3);
  }

  void end(int number) {
    while (begun_.load(acquire) != static_cast<std::uint32_t>(number)) atomics::pause();
    require(teams_ == number, "the region runs with the teams of another");
    teams_ = number + 1;
    if (hold_.give()) return free();
    if (what_ == flaw::looks_behind_the_end) teams_ = 0;
  }

  void free() {
    teams_ = -1;
    spares_ = -1;
    ++freed_;
  }

  bool again_;
  flaw what_;
  omp::root_hold<A> hold_;
  atomic<std::uint32_t> begun_{0};
  plain<int> teams_{0};   // the region's while it holds the root
  plain<int> spares_{1};  // the OS thread's
  int freed_ = 0;
};

template <class A>
report ends(flaw what = flaw::none) {
  return explore<root_of_a_thread<A>>(
      {.name = "root, its thread ends", .locations = {"hold", "begun"}}, false, what);
}

template <class A>
report again(flaw what = flaw::none) {
  return explore<root_of_a_thread<A>>({.name = "root, two regions", .locations = {"hold", "begun"}},
                                      true, what);
}

TEST(root_hold, a_root_is_freed_once) {
  expect_sound(ends<atomics>());
  expect_sound(again<atomics>());
}

TEST(root_hold, needs_its_orders) {
  expect_found(ends<without_orders>(), "data race");
  expect_found(ends<without_acquire>(), "data race");
  expect_found(ends<without_release>(), "data race");
  expect_found(again<without_orders>(), "data race");
  expect_found(again<without_acquire>(), "data race");
  expect_found(again<without_release>(), "data race");
}

TEST(root_hold, needs_locked_instructions) {
  expect_found(ends<torn>(), "the root was not freed once");
}

TEST(root_hold, nobody_looks_behind_its_end) {
  expect_found(ends<atomics>(flaw::looks_behind_the_end), "data race");
  expect_found(again<atomics>(flaw::looks_behind_the_end), "data race");
  expect_found(ends<atomics>(flaw::looks_behind_the_leave), "data race");
}

}  // namespace
}  // namespace kasuri::model
