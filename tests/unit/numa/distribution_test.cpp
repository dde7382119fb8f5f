// SPDX-License-Identifier: Apache-2.0
// Tables worked out by hand: node of each page.
#include <gtest/gtest.h>
#include <kasuri/numa.hpp>

#include <vector>

namespace kasuri::numa {
namespace {

constexpr std::size_t page = 4096;

const std::vector<int> four = {0, 2, 5, 7};  // numbers may have gaps

std::vector<int> table(const distribution& d, std::size_t bytes, const std::vector<int>& nodes,
                       std::size_t page_bytes = page) {
  std::vector<int> of;
  for (std::size_t at = 0; at < bytes; at += page_bytes)
    of.push_back(d.node_at(at, bytes, nodes, page_bytes));
  return of;
}

TEST(distribution, first_touch_has_no_wish) {
  EXPECT_EQ(table({}, 3 * page, four), (std::vector<int>{-1, -1, -1}));
}

TEST(distribution, on_node) {
  EXPECT_EQ(table(distribution::on_node(5), 3 * page, four), (std::vector<int>{5, 5, 5}));
}

TEST(distribution, blocked_parts_differ_by_a_page_at_most) {
  EXPECT_EQ(table(distribution::blocked(), 10 * page, four),
            (std::vector<int>{0, 0, 0, 2, 2, 5, 5, 5, 7, 7}));
  EXPECT_EQ(table(distribution::blocked(), 8 * page, four),
            (std::vector<int>{0, 0, 2, 2, 5, 5, 7, 7}));
  EXPECT_EQ(table(distribution::blocked(), 2 * page + 1, four), (std::vector<int>{0, 2, 5}));
  EXPECT_EQ(table(distribution::blocked(), 1, four), (std::vector<int>{0}));
}

TEST(distribution, cyclic_goes_round_by_pages) {
  EXPECT_EQ(table(distribution::cyclic(2), 10 * page, four),
            (std::vector<int>{0, 0, 2, 2, 5, 5, 7, 7, 0, 0}));
  EXPECT_EQ(table(distribution::interleaved(), 6 * page, four),
            (std::vector<int>{0, 2, 5, 7, 0, 2}));
  EXPECT_EQ(distribution::interleaved(), distribution::cyclic(1));
}

TEST(distribution, block_cyclic_has_a_page_where_its_first_byte_belongs) {
  // Blocks of one and a half pages: a page of two blocks is the first one's.
  EXPECT_EQ(table(distribution::block_cyclic(6144), 10 * page, four),
            (std::vector<int>{0, 0, 2, 5, 5, 7, 0, 0, 2, 5}));
  // Less than a page: blocks 0, 4, 8 and so on begin the pages.
  EXPECT_EQ(table(distribution::block_cyclic(1024), 3 * page, four), (std::vector<int>{0, 0, 0}));
}

TEST(distribution, tiles_of_half_a_matrix_are_quadrants) {
  // 4 rows of 4 pages.
  const auto quadrants = distribution::tiles(4, 4 * page, 2, 2 * page);
  EXPECT_EQ(table(quadrants, 16 * page, four), (std::vector<int>{0, 0, 2, 2,  //
                                                                 0, 0, 2, 2,  //
                                                                 5, 5, 7, 7,  //
                                                                 5, 5, 7, 7}));
}

TEST(distribution, tiles_go_round_the_grid_in_both_directions) {
  const auto small = distribution::tiles(4, 4 * page, 1, page);
  EXPECT_EQ(table(small, 16 * page, four), (std::vector<int>{0, 2, 0, 2,  //
                                                             5, 7, 5, 7,  //
                                                             0, 2, 0, 2,  //
                                                             5, 7, 5, 7}));
  // 2 nodes are 1 x 2, 6 are 2 x 3, 7 are 1 x 7, 8 are 2 x 4.
  EXPECT_EQ(table(small, 8 * page, {0, 1}), (std::vector<int>{0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(table(small, 8 * page, {0, 1, 2, 3, 4, 5}), (std::vector<int>{0, 1, 2, 0, 3, 4, 5, 3}));
  EXPECT_EQ(table(small, 8 * page, {0, 1, 2, 3, 4, 5, 6}),
            (std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ(table(small, 8 * page, {0, 1, 2, 3, 4, 5, 6, 7}),
            (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(distribution, what_follows_the_last_row_is_with_it) {
  const auto d = distribution::tiles(2, page, 1, page);
  EXPECT_EQ(table(d, 4 * page, {0, 1, 2, 3}), (std::vector<int>{0, 2, 2, 2}));
}

TEST(distribution, huge_pages_are_whole_as_well) {
  const std::size_t huge = 512 * page;
  EXPECT_EQ(table(distribution::blocked(), 4 * huge, four, huge), four);
  EXPECT_EQ(distribution::cyclic(1).node_at(huge + 5 * page, 4 * huge, four, huge), 2);
}

TEST(distribution, one_node_has_everything) {
  for (const auto& d : {distribution::blocked(), distribution::cyclic(3),
                        distribution::block_cyclic(5), distribution::tiles(3, 5000, 1, 100)})
    EXPECT_EQ(table(d, 4 * page, {3}), (std::vector<int>{3, 3, 3, 3}));
}

TEST(distribution, a_size_of_zero_or_a_strange_node_is_not_valid) {
  EXPECT_TRUE(distribution::on_node(7).is_valid(four));
  EXPECT_FALSE(distribution::on_node(1).is_valid(four));
  EXPECT_FALSE(distribution::on_node(-1).is_valid(four));
  EXPECT_FALSE(distribution::cyclic(0).is_valid(four));
  EXPECT_FALSE(distribution::block_cyclic(0).is_valid(four));
  EXPECT_FALSE(distribution::tiles(0, 1, 1, 1).is_valid(four));
  EXPECT_FALSE(distribution::tiles(1, 0, 1, 1).is_valid(four));
  EXPECT_FALSE(distribution::tiles(1, 1, 0, 1).is_valid(four));
  EXPECT_FALSE(distribution::tiles(1, 1, 1, 0).is_valid(four));
}

}  // namespace
}  // namespace kasuri::numa
