// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/base/travelled.hpp"

#include <gtest/gtest.h>

#include <set>

namespace kasuri::cluster {
namespace {

TEST(Travelled, FramesAreUsedAgain) {
  travelled_store store(nullptr);
  std::set<travelled*> all;
  for (int round = 0; round != 3; ++round) {
    std::set<travelled*> taken;
    for (int i = 0; i != 5; ++i) EXPECT_TRUE(taken.insert(store.take()).second);
    all.insert(taken.begin(), taken.end());
    for (travelled* t : taken) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(t->closure()) % 64, 0U);
      store.give_back(t);
    }
  }
  EXPECT_EQ(all.size(), 5U);
}

}  // namespace
}  // namespace kasuri::cluster
