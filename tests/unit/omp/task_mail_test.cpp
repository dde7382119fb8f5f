// SPDX-License-Identifier: Apache-2.0
#include "omp/task/task_mail.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "omp/task/task_record.hpp"
#include "omp/team/team.hpp"

namespace kasuri::omp {
namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// A team of nobody on a machine of two nodes, with two members counted on each.
struct machine {
  machine() {
    in.mail = std::make_unique<task_mail>(2);
    for (int node = 0; node != 2; ++node)
      mail().at(node).members.store(2, std::memory_order_relaxed);
  }
  task_mail& mail() { return *in.mail; }

  team in;
};

TEST(task_mail, is_the_nodes_own_until_late) {
  machine m;
  explicit_task t;
  t.where = 1;
  ASSERT_TRUE(m.mail().give_back(m.in, t));
  EXPECT_EQ(m.mail().take(0, nullptr), nullptr);
  EXPECT_EQ(m.mail().take_elsewhere(0, nullptr, never), nullptr)
      << "node 1 has had no time for it yet";
  EXPECT_FALSE(m.mail().empty());
  EXPECT_EQ(m.mail().take_elsewhere(0, nullptr, 0), &t);
  EXPECT_TRUE(m.mail().empty());
}

TEST(task_mail, more_than_the_members_can_begin_are_anybodys) {
  machine m;
  explicit_task tasks[6];
  for (explicit_task& t : tasks) {
    t.where = 1;
    ASSERT_TRUE(m.mail().give_back(m.in, t));
  }
  EXPECT_EQ(m.mail().take_elsewhere(0, nullptr, never), &tasks[0]);
  EXPECT_EQ(m.mail().take_elsewhere(0, nullptr, never), &tasks[1]);
  EXPECT_EQ(m.mail().take_elsewhere(0, nullptr, never), nullptr) << "four are left for two members";
  EXPECT_EQ(m.mail().take(1, nullptr), &tasks[2]);
}

TEST(task_mail, gives_back_only_where_somebody_is) {
  machine m;
  explicit_task t;
  EXPECT_FALSE(m.mail().give_back(m.in, t)) << "it has no where";
  t.where = 1;
  m.mail().at(1).members.store(0, std::memory_order_relaxed);
  EXPECT_FALSE(m.mail().give_back(m.in, t)) << "nobody is there";
  EXPECT_TRUE(m.mail().empty());
}

TEST(task_mail, a_thief_gets_only_what_it_may_run) {
  machine m;
  task implicit;
  explicit_task parent;
  explicit_task child;
  parent.parent = &implicit;
  parent.depth = 1;
  child.parent = &parent;
  child.depth = 2;
  parent.where = child.where = 1;
  ASSERT_TRUE(m.mail().give_back(m.in, parent));
  ASSERT_TRUE(m.mail().give_back(m.in, child));
  EXPECT_EQ(m.mail().take_elsewhere(0, &parent, 0), &child);
  EXPECT_EQ(m.mail().take_elsewhere(0, &parent, 0), nullptr);
  EXPECT_EQ(m.mail().take_elsewhere(0, nullptr, 0), &parent);
}

}  // namespace
}  // namespace kasuri::omp
