// SPDX-License-Identifier: Apache-2.0
// Trees as a profile has them, made into graphs.
#include <gtest/gtest.h>

#include <string>

#include "predict/tree_part.hpp"

namespace kasuri::predict {
namespace {

std::string section(const std::string& nodes) {
  return R"({"tree": {"grain_s": 1e-4, "complete": true, "nodes": [)" + nodes + "]}}";
}

simulate::graph made(const std::string& nodes) {
  auto g = graph_of_forks(section(nodes));
  EXPECT_TRUE(g.has_value()) << nodes;
  return g ? *std::move(g) : simulate::graph("none");
}

TEST(TreePart, AForkHasItsSidesAndWhatIsAround) {
  const simulate::graph g = made(
      "[100, 100, 0, 1, 2, 3, 5], [2000, 2000, 0, -1, -1, -1, 0], "
      "[3000, 3000, 0, -1, -1, -1, 0], [50, 50, 0, -1, -1, -1, 0]");
  EXPECT_DOUBLE_EQ(g.total_work(), 5150);
  EXPECT_DOUBLE_EQ(g.longest_path(), 3150);
}

TEST(TreePart, ALoopIsOneNodeThatCanBeDivided) {
  const simulate::graph g =
      made("[100, 100, 0, -1, -1, 1, 5, 64000, 1000, 64], [50, 50, 0, -1, -1, -1, 0]");
  EXPECT_DOUBLE_EQ(g.total_work(), 64150);
  EXPECT_DOUBLE_EQ(g.longest_path(), 1150);
  EXPECT_EQ(g.size(), 3u);
}

TEST(TreePart, IterationsThatAreParallelWithinCanBeDividedFurther) {
  const simulate::graph g = made("[0, 0, 0, -1, -1, -1, 5, 64000, 1000, 4]");
  EXPECT_DOUBLE_EQ(g.longest_path(), 1000);
}

TEST(TreePart, AFoldedPartKeepsWorkAndSpan) {
  const simulate::graph g = made("[80000, 10000, 100, -1, -1, -1, 0]");
  EXPECT_DOUBLE_EQ(g.total_work(), 80000);
  EXPECT_NEAR(g.longest_path(), 10000, 1e-6);
}

TEST(TreePart, WhatIsNoTreeIsNone) {
  EXPECT_FALSE(graph_of_forks(""));
  EXPECT_FALSE(graph_of_forks("{}"));
  EXPECT_FALSE(graph_of_forks(R"({"tree": {"complete": false, "nodes": []}})"));
  EXPECT_FALSE(graph_of_forks(section("")));
  EXPECT_FALSE(graph_of_forks(section("[1, 1, 0, 0, -1, -1, 0]"))) << "it names itself";
  EXPECT_FALSE(graph_of_forks(section("[1, 1, 0, 7, -1, -1, 0]"))) << "there is no such row";
  EXPECT_FALSE(graph_of_forks(section("[1, 1, \"x\", -1, -1, -1, 0]")));
}

}  // namespace
}  // namespace kasuri::predict
