// SPDX-License-Identifier: Apache-2.0
#include "report/ancestry/ancestry.hpp"

#include <gtest/gtest.h>

#include "report/ancestry/fork_ancestry.hpp"
#include "profiles.hpp"

namespace kasuri::report {
namespace {

// 1 s, a fork at site 5, 2 s behind it. The first side: 3 s, a fork at site 6 of 4 s and 1 s, whose
// first side has within itself a fork at site 5 of 2 s and 1 s. The second side: 5 s.
constexpr const char* nested = R"({"tree":{"nodes":[
  [1000000000,1000000000,0,2,4,1,5],
  [2000000000,2000000000,0,-1,-1,-1,0],
  [3000000000,3000000000,0,5,7,3,6],
  [0,0,0,-1,-1,-1,0],
  [5000000000,5000000000,0,-1,-1,-1,0],
  [4000000000,4000000000,0,8,9,6,5],
  [0,0,0,-1,-1,-1,0],
  [1000000000,1000000000,0,-1,-1,-1,0],
  [2000000000,2000000000,0,-1,-1,-1,0],
  [1000000000,1000000000,0,-1,-1,-1,0]]}})";

profile forking_run() {
  profile p = test::busy_run();
  p.sites[5] = {.kind = "fork"};
  p.sites[6] = {.kind = "fork"};
  p.forks = nested;
  p.critical.span_s = 12.5;
  return p;
}

struct row {
  int parent;
  int site;
  std::string kind;
  double s;
  friend bool operator==(const row&, const row&) = default;
  friend void PrintTo(const row& r, std::ostream* to) {
    *to << r.parent << ' ' << r.site << ' ' << r.kind << ' ' << r.s;
  }
};

std::vector<row> rows(const std::vector<branch>& branches) {
  std::vector<row> all;
  for (const branch& b : branches) all.push_back({b.parent, b.site, b.kind, b.s});
  return all;
}

std::vector<row> critical_rows(const profile& p) {
  const places where(p);
  return rows(critical_branches(measures(p, nullptr, where)));
}

std::vector<row> blame_rows(const profile& p) {
  const places where(p);
  return rows(blame_branches(measures(p, nullptr, where)));
}

TEST(ancestry, forks_within_themselves_count_as_the_outer_one) {
  const std::vector<fork_ancestor> all = fold_forks(nested);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_DOUBLE_EQ(all[0].work_s, 3);
  EXPECT_EQ(all[1].parent, 0);
  EXPECT_EQ(all[1].site, 5);
  EXPECT_DOUBLE_EQ(all[1].work_s, 3 + 5 + 2 + 1);  // the last two lie within site 6
  EXPECT_DOUBLE_EQ(all[1].critical_s, 3 + 2);
  EXPECT_EQ(all[2].parent, 1);
  EXPECT_EQ(all[2].site, 6);
  EXPECT_DOUBLE_EQ(all[2].work_s, 4 + 1);
  EXPECT_DOUBLE_EQ(all[2].critical_s, 4);
}

TEST(ancestry, what_is_no_tree_has_no_forks) {
  EXPECT_TRUE(fold_forks("").empty());
  EXPECT_TRUE(fold_forks("[]").empty());
  EXPECT_TRUE(fold_forks(R"({"tree":{"nodes":[]}})").empty());
  EXPECT_TRUE(fold_forks(R"({"tree":{"nodes":[[1,1,0,-1,-1,-1]]}})").empty());
  EXPECT_TRUE(fold_forks(R"({"tree":{"nodes":[[1,1,0,1,-1,-1,5]]}})").empty());  // there is no 1
  EXPECT_TRUE(fold_forks(R"({"tree":{"nodes":[[1,1,0,-1,-1,0,5]]}})").empty());  // in a circle
  EXPECT_TRUE(fold_forks(R"({"tree":{"nodes":[["a",1,0,-1,-1,-1,5]]}})").empty());
}

TEST(ancestry, the_longest_chain_is_divided_by_the_forks_on_it) {
  EXPECT_EQ(
      critical_rows(forking_run()),
      (std::vector<row>{
          {-1, 0, "program", 12.5}, {0, 5, "fork", 9}, {1, 6, "fork", 4}, {0, 0, "outside", 0.5}}));
}

TEST(ancestry, without_forks_the_chain_is_one_level_of_places) {
  profile p = test::busy_run();
  p.critical.span_s = 3;
  p.critical.path = {{.site = 0, .s = 1}, {.site = 7, .s = 2}};
  EXPECT_EQ(critical_rows(p),
            (std::vector<row>{{-1, 0, "program", 3}, {0, 7, "region", 2}, {0, 0, "outside", 1}}));
}

TEST(ancestry, without_anything_there_are_no_branches) {
  EXPECT_TRUE(critical_rows(test::busy_run()).empty());
  EXPECT_TRUE(blame_rows(test::busy_run()).empty());
}

TEST(ancestry, blame_has_the_function_below_the_places) {
  profile p = forking_run();
  p.samples = {{.pc = 0x10, .site = 6, .in_pool = true, .processor_s = 1, .blamed_s = 2},
               {.pc = 0x20, .site = 0, .processor_s = 1, .blamed_s = 5}};
  EXPECT_EQ(blame_rows(p), (std::vector<row>{{-1, 0, "program", 7},
                                             {0, 0, "outside", 5},
                                             {1, 0, "function", 5},
                                             {0, 5, "fork", 2},
                                             {3, 6, "fork", 2},
                                             {4, 6, "function", 2}}));
}

TEST(ancestry, blame_of_a_place_in_two_others_is_divided_as_the_work_is) {
  profile p = forking_run();
  // Two forks in a row, at 5 and at 6; within each a fork at 8, with 1 s and with 3 s.
  p.forks = R"({"tree":{"nodes":[[0,0,0,2,-1,1,5],[0,0,0,3,-1,-1,6],[0,0,0,4,-1,-1,8],
      [0,0,0,5,-1,-1,8],[1000000000,1,0,-1,-1,-1,0],[3000000000,1,0,-1,-1,-1,0]]}})";
  p.sites[8] = {.kind = "fork"};
  p.samples = {{.pc = 0x10, .site = 8, .in_pool = true, .processor_s = 1, .blamed_s = 4}};
  EXPECT_EQ(blame_rows(p), (std::vector<row>{{-1, 0, "program", 4},
                                             {0, 6, "fork", 3},
                                             {1, 8, "fork", 3},
                                             {2, 8, "function", 3},
                                             {0, 5, "fork", 1},
                                             {4, 8, "fork", 1},
                                             {5, 8, "function", 1}}));
}

TEST(ancestry, small_parts_have_no_branch) {
  profile p = test::busy_run();
  p.critical.span_s = 1000;
  p.critical.path = {{.site = 7, .s = 999}, {.site = 0, .s = 1}};
  EXPECT_EQ(critical_rows(p), (std::vector<row>{{-1, 0, "program", 1000}, {0, 7, "region", 999}}));
}

}  // namespace
}  // namespace kasuri::report
