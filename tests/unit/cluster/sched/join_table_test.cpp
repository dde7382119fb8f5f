// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/wire/join_table.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace kasuri::cluster {
namespace {

TEST(JoinTable, GivesEachRecordOnceUntilItIsGivenBack) {
  join_table t;
  std::set<int> taken;
  while (!t.none_free()) {
    const int i = t.take();
    EXPECT_TRUE(taken.insert(i).second) << i;
    EXPECT_EQ(t.generation(i), 1U);
  }
  EXPECT_EQ(taken.size(), static_cast<std::size_t>(layout::records));
  EXPECT_NE(t.check(), nullptr);  // joins are open
  t.give_back(17);
  EXPECT_EQ(t.take(), 17);
  EXPECT_EQ(t.generation(17), 2U);
  for (const int i : taken) t.give_back(i);
  EXPECT_EQ(t.check(), nullptr);
}

TEST(JoinTable, WakesTheTasksWhoseRecordsAreDoneOldestFirst) {
  join_table t;
  int tasks[4];
  int records[4];
  join_table::waiter waiters[4];
  for (int i = 0; i != 4; ++i) {
    records[i] = t.take();
    waiters[i] = {records[i], &tasks[i], nullptr};
    t.wait(waiters[i]);
  }
  std::vector<void*> woken;
  const auto wake = [&](auto is_done) {
    woken.clear();
    auto* done = t.take_done(is_done);
    while (const auto* w = sched::take_first(done)) woken.push_back(w->task);
    return woken;
  };
  EXPECT_TRUE(wake([](int) { return false; }).empty());
  EXPECT_EQ(wake([&](int r) { return r == records[1] || r == records[3]; }),
            (std::vector<void*>{&tasks[1], &tasks[3]}));
  EXPECT_TRUE(t.anybody_waits());
  EXPECT_EQ(wake([](int) { return true; }), (std::vector<void*>{&tasks[0], &tasks[2]}));
  EXPECT_FALSE(t.anybody_waits());
}

}  // namespace
}  // namespace kasuri::cluster
