// SPDX-License-Identifier: Apache-2.0
#include "omp/run/task_send.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace kasuri::omp {
namespace {

/// A team of nobody on a machine of two nodes, with two members counted on each.
struct team_of_nobody {
  team_of_nobody() {
    in.mail = std::make_unique<task_mail>(2);
    in.has_tasks.store(true, std::memory_order_relaxed);
    for (int node = 0; node != 2; ++node)
      mail().at(node).members.store(2, std::memory_order_relaxed);
  }
  task_mail& mail() { return *in.mail; }

  team in;
};

TEST(task_send, gives_back_only_where_somebody_is) {
  team_of_nobody m;
  explicit_task t;
  EXPECT_FALSE(give_back(m.in, t)) << "it has no where";
  t.where = 1;
  m.mail().at(1).members.store(0, std::memory_order_relaxed);
  EXPECT_FALSE(give_back(m.in, t)) << "nobody is there";
  EXPECT_TRUE(m.mail().empty());
  m.mail().at(1).members.store(1, std::memory_order_relaxed);
  EXPECT_TRUE(give_back(m.in, t));
  EXPECT_EQ(m.mail().take(1, nullptr), &t);
}

}  // namespace
}  // namespace kasuri::omp
