// SPDX-License-Identifier: Apache-2.0
// The deque of Chase and Lev with the orders of Le, Pop, Cohen and Zappa Nardelli ("Correct and
// efficient work-stealing for weak memory models", PPoPP 2013): the explorer must accept it, and
// must find what goes wrong when one order or fence is dropped.
#include "explorer/explore.hpp"

#include <gtest/gtest.h>

namespace kasuri::model {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto seq_cst = std::memory_order_seq_cst;

enum class flaw {
  none,
  no_fence_in_take,
  no_fence_in_steal,
  no_fence_in_push,
  owner_takes_last_without_race,
};

constexpr int empty = 0;

class chase_lev {
 public:
  explicit chase_lev(flaw which) : flaw_(which) {}

  void push(int item) {
    const int b = bottom_.load(relaxed);
    items_[b % size].store(item, relaxed);
    if (flaw_ != flaw::no_fence_in_push) atomics::fence(release);
    bottom_.store(b + 1, relaxed);
  }

  int take() {
    const int b = bottom_.load(relaxed) - 1;
    bottom_.store(b, relaxed);
    if (flaw_ != flaw::no_fence_in_take) atomics::fence(seq_cst);
    int t = top_.load(relaxed);
    if (t > b) {
      bottom_.store(b + 1, relaxed);
      return empty;
    }
    int item = items_[b % size].load(relaxed);
    if (t < b || flaw_ == flaw::owner_takes_last_without_race) return item;
    if (!top_.compare_exchange_strong(t, t + 1, seq_cst, relaxed)) item = empty;
    bottom_.store(b + 1, relaxed);
    return item;
  }

  int steal() {
    int t = top_.load(acquire);
    if (flaw_ != flaw::no_fence_in_steal) atomics::fence(seq_cst);
    const int b = bottom_.load(acquire);
    if (t >= b) return empty;
    const int item = items_[t % size].load(relaxed);
    return top_.compare_exchange_strong(t, t + 1, seq_cst, relaxed) ? item : empty;
  }

 private:
  static constexpr int size = 2;

  flaw flaw_;
  atomic<int> top_{0};
  atomic<int> bottom_{0};
  atomic<int> items_[size];
};

// The owner pushes two items, takes two and pushes and takes one more; thieves try twice each.
template <int thieves>
struct owner_and_thieves {
  static constexpr int threads = 1 + thieves;
  explicit owner_and_thieves(flaw which) : deque_(which) {}

  void run(int thread) {
    if (thread != 0) {
      for (int i = 0; i < 2; ++i) got(thread, deque_.steal());
      return;
    }
    deque_.push(1);
    deque_.push(2);
    got(0, deque_.take());
    got(0, deque_.take());
  }

  void check() {
    for (int item = deque_.take(); item != empty; item = deque_.take()) got(0, item);
    for (int item = 1; item <= 2; ++item) {
      int times = 0;
      for (const auto& mine : taken_) times += mine[item];
      require(times <= 1, "an item was handed out twice");
      require(times >= 1, "an item was lost");
    }
  }

 private:
  void got(int thread, int item) {
    if (item != empty) ++taken_[thread][item];
  }

  chase_lev deque_;
  int taken_[threads][3] = {};
};

const std::vector<std::string> names{"top", "bottom", "items[0]", "items[1]"};

TEST(chase_lev, hands_out_every_item_once) {
  const report one =
      explore<owner_and_thieves<1>>({.name = "one thief", .locations = names}, flaw::none);
  EXPECT_FALSE(one.failed) << one.text();
  EXPECT_TRUE(one.complete);
  const report two =
      explore<owner_and_thieves<2>>({.name = "two thieves", .locations = names}, flaw::none);
  EXPECT_FALSE(two.failed) << two.text();
  EXPECT_TRUE(two.complete);
  std::printf("%s\n%s\n", one.text().c_str(), two.text().c_str());
}

TEST(chase_lev, each_dropped_order_is_found) {
  using enum flaw;
  for (const flaw which : {no_fence_in_take, no_fence_in_steal, owner_takes_last_without_race}) {
    const report result =
        explore<owner_and_thieves<1>>({.name = "flawed", .locations = names}, which);
    ASSERT_TRUE(result.failed) << static_cast<int>(which);
    EXPECT_EQ(result.failed->what, "an item was handed out twice");
  }
  const report result =
      explore<owner_and_thieves<1>>({.name = "flawed", .locations = names}, no_fence_in_push);
  ASSERT_TRUE(result.failed);
  EXPECT_EQ(result.failed->what, "an item was lost");
}

}  // namespace
}  // namespace kasuri::model
