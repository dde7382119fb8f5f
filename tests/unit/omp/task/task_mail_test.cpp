// SPDX-License-Identifier: Apache-2.0
#include "omp/task/task_mail.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "omp/task/task_record.hpp"

namespace kasuri::omp {
namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// The lists of a machine of two nodes, with two members counted on each.
struct two_nodes : task_mail {
  two_nodes() : task_mail(2) {
    for (int node = 0; node != 2; ++node) at(node).members.store(2, std::memory_order_relaxed);
  }
};

TEST(task_mail, is_the_nodes_own_until_late) {
  two_nodes m;
  explicit_task t;
  m.put(1, t);
  EXPECT_EQ(m.take(0, nullptr), nullptr);
  EXPECT_EQ(m.take_elsewhere(0, nullptr, never), nullptr) << "node 1 has had no time for it yet";
  EXPECT_FALSE(m.empty());
  EXPECT_EQ(m.take_elsewhere(0, nullptr, 0), &t);
  EXPECT_TRUE(m.empty());
}

TEST(task_mail, more_than_the_members_can_begin_are_anybodys) {
  two_nodes m;
  explicit_task tasks[6];
  for (explicit_task& t : tasks) m.put(1, t);
  EXPECT_EQ(m.take_elsewhere(0, nullptr, never), &tasks[0]);
  EXPECT_EQ(m.take_elsewhere(0, nullptr, never), &tasks[1]);
  EXPECT_EQ(m.take_elsewhere(0, nullptr, never), nullptr) << "four are left for two members";
  EXPECT_EQ(m.take(1, nullptr), &tasks[2]);
}

TEST(task_mail, a_thief_gets_only_what_it_may_run) {
  two_nodes m;
  task implicit;
  explicit_task parent;
  explicit_task child;
  parent.parent = &implicit;
  parent.depth = 1;
  child.parent = &parent;
  child.depth = 2;
  m.put(1, parent);
  m.put(1, child);
  EXPECT_EQ(m.take_elsewhere(0, &parent, 0), &child);
  EXPECT_EQ(m.take_elsewhere(0, &parent, 0), nullptr);
  EXPECT_EQ(m.take_elsewhere(0, nullptr, 0), &parent);
}

}  // namespace
}  // namespace kasuri::omp
