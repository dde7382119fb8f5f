// SPDX-License-Identifier: Apache-2.0
// The heap of timers, against a set of their times.
#include "sched/time/timer_heap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "support/scale.hpp"

namespace kasuri::sched {
namespace {

struct node : heap_links<node> {
  std::int64_t when = 0;
  bool inside = false;
};

TEST(timer_heap, random_operations) {
  std::mt19937 random(11);
  std::vector<node> nodes(200);
  std::multiset<std::int64_t> times;
  timer_heap<node> heap;
  for (int turn = 0, turns = test::scaled(20000); turn != turns; ++turn) {
    node& n = nodes[random() % nodes.size()];
    if (!n.inside) {
      n.when = static_cast<std::int64_t>(random() % 50);
      heap.add(&n);
      times.insert(n.when);
    } else {
      node* const gone = random() % 3 == 0 ? heap.first() : &n;
      heap.remove(gone);
      times.erase(times.find(gone->when));
      gone->inside = false;
      if (gone != &n) continue;
      ASSERT_TRUE(heap.is_sound());
      continue;
    }
    n.inside = true;
    ASSERT_TRUE(heap.is_sound());
    ASSERT_EQ(heap.first()->when, *times.begin());
  }
}

TEST(timer_heap, gives_all_by_their_times) {
  for (const bool backwards : {false, true}) {
    std::vector<node> nodes(static_cast<std::size_t>(test::scaled(100'000)));
    timer_heap<node> heap;
    for (std::size_t i = 0; i != nodes.size(); ++i) {
      nodes[i].when = static_cast<std::int64_t>(backwards ? nodes.size() - i : i);
      heap.add(&nodes[i]);
    }
    std::int64_t before = -1;
    for (std::size_t i = 0; i != nodes.size(); ++i) {
      node* const first = heap.first();
      ASSERT_LT(before, first->when);
      before = first->when;
      heap.remove(first);
    }
    EXPECT_TRUE(heap.empty());
  }
}

}  // namespace
}  // namespace kasuri::sched
