// SPDX-License-Identifier: Apache-2.0
// What the KASTORS programs share: lists of nodes, placed memory, the log of tasks.
#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <vector>

#include "apps/common/placement.hpp"
#include "apps/common/task_log.hpp"

namespace {

using nodes = std::vector<int>;

TEST(kastors, lists_of_nodes) {
  EXPECT_EQ(apps::read_list("0"), nodes{0});
  EXPECT_EQ(apps::read_list("0-2,5"), (nodes{0, 1, 2, 5}));
  EXPECT_EQ(apps::read_list("3,1-2,2"), (nodes{1, 2, 3}));
  for (const char* wrong : {"", "-1", "1-", "2-1", "1,", "a", "1 2", "0-2000", "99999999999"}) {
    EXPECT_EQ(apps::read_list(wrong), nodes{}) << wrong;
  }
}

TEST(kastors, distributions_by_hand) {
  const nodes four = {0, 1, 2, 3};
  const nodes two = {4, 7};
  nodes blocked;
  nodes cyclic;
  for (int i = 0; i < 8; ++i) {
    blocked.push_back(apps::blocked_node(two, i, 8));
    cyclic.push_back(apps::cyclic_node(four, i, 2));
  }
  EXPECT_EQ(blocked, (nodes{4, 4, 4, 4, 7, 7, 7, 7}));
  EXPECT_EQ(cyclic, (nodes{0, 0, 1, 1, 2, 2, 3, 3}));
}

TEST(kastors, asking_for_nodes_touches_nothing) {
  const std::size_t page = apps::page_size();
  const apps::memory two(2 * page);
  const int node = apps::nodes_with_cpus_and_memory().back();
  apps::place(two.as<char>(), 2 * page, node);
  std::vector<void*> pages = {two.as<char>(), two.as<char>() + page};
  if (apps::nodes_of_pages(pages).empty()) GTEST_SKIP() << "move_pages is not allowed here";
  EXPECT_EQ(apps::nodes_of_pages(pages), (nodes{-ENOENT, -ENOENT}));
  *two.as<char>() = 1;
  EXPECT_EQ(apps::nodes_of_pages(pages), (nodes{node, -ENOENT}));
}

std::string printed(const apps::task_log& log) {
  testing::internal::CaptureStdout();
  log.print();
  return testing::internal::GetCapturedStdout();
}

TEST(kastors, a_closed_log_notes_nothing) {
  apps::task_log log;
  log.note(0, {});
  EXPECT_EQ(printed(log), "");
}

TEST(kastors, the_log_counts_by_kind_and_says_what_it_lost) {
  const std::size_t page = apps::page_size();
  const apps::memory rows(4 * page);
  *rows.as<char>() = 1;
  std::vector<void*> first = {rows.as<char>()};
  if (apps::nodes_of_pages(first).empty()) GTEST_SKIP() << "move_pages is not allowed here";
  apps::task_log log;
  log.open(3, {"a", "b", "never"});
  log.note(0, {rows.as<char>(), 1, page, page});
  log.note(1, {});                                           // nobody chose a place
  log.note(1, {rows.as<char>() + 2 * page, 1, page, page});  // nobody touched it
  log.note(1, {});
  const std::string said = printed(log);
  EXPECT_TRUE(said.starts_with("tasks 3, on the node of their output ")) << said;
  EXPECT_NE(said.find("\n  a 1, "), std::string::npos) << said;
  EXPECT_NE(said.find("\n  b 2, on the node of their output 0, output of no chosen place 2\n"),
            std::string::npos)
      << said;
  EXPECT_EQ(said.find("never"), std::string::npos) << said;
  EXPECT_NE(said.find("not noted: 1"), std::string::npos) << said;
}

}  // namespace
