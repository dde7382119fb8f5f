// SPDX-License-Identifier: Apache-2.0
// The tree of forks: its sums stay what they are, however much of it is folded.

#include "sched/measure/fork_tree.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "sched/measure/program_tree.hpp"
#include "sched/measure/scope_table.hpp"
#include "sched/measure/site_sums.hpp"

namespace kasuri::sched {
namespace {

fork_chain piece(std::uint64_t work) {
  fork_chain c;
  c.add({work, work, 0});
  return c;
}

/// The sums of a closed list, from its nodes alone.
fork_sums sums_of(const fork_tree_node* list, int& nodes) {
  fork_sums all;
  for (; list != nullptr; list = list->next) {
    ++nodes;
    all.add(list->before);
    if (list->first == nullptr && list->second == nullptr) continue;
    fork_sums both = sums_of(list->first, nodes);
    both.join(sums_of(list->second, nodes));
    ++both.forks;
    all.add(both);
  }
  return all;
}

void expect_equal(const fork_sums& a, const fork_sums& b) {
  EXPECT_EQ(a.work, b.work);
  EXPECT_EQ(a.span, b.span);
  EXPECT_EQ(a.forks, b.forks);
}

/// A tree of forks of that depth, each leaf of `leaf` ticks, with one tick before and behind.
fork_chain tree(int depth, std::uint64_t leaf) {
  if (depth == 0) return piece(leaf);
  fork_chain c = piece(1);
  c.add_fork(tree(depth - 1, leaf), tree(depth - 1, leaf), 7);
  c.add({1, 1, 0});
  return c;
}

TEST(fork_tree, has_the_sums_of_series_and_forks) {
  fork_chain c = piece(3);
  c.add_fork(piece(10), piece(4), 1);
  c.add_fork(piece(5), piece(6), 1);
  c.add({2, 2, 0});
  expect_equal(c.all(), {30, 3 + 10 + 6 + 2, 2});
}

TEST(fork_tree, folds_what_is_below_the_grain) {
  const std::uint64_t grain = fork_grain();
  ASSERT_GT(grain, 1000u);
  fork_chain c = tree(5, 1);
  EXPECT_EQ(c.head(), nullptr);
  expect_equal(c.all(), {32 + 2 * 31, 1 + 2 * 5, 31});
}

TEST(fork_tree, keeps_what_is_above_the_grain) {
  fork_chain c = tree(6, fork_grain());
  c.close();
  int nodes = 0;
  expect_equal(sums_of(c.head(), nodes), c.all());
  EXPECT_EQ(c.all().forks, 63u);
  EXPECT_GE(nodes, 63);
}

TEST(fork_tree, moves_and_appends_with_all_it_has) {
  fork_chain c = tree(4, fork_grain());
  const fork_sums one = c.all();
  c.append(tree(4, fork_grain()));
  c.append(piece(5));
  fork_chain moved = std::move(c);
  fork_sums expected = one;
  expected.add(one);
  expected.add({5, 5, 0});
  expect_equal(moved.all(), expected);
  moved.close();
  int nodes = 0;
  expect_equal(sums_of(moved.head(), nodes), expected);
}

TEST(fork_tree, beside_another_has_the_longer_span) {
  fork_chain c = tree(3, fork_grain());
  const fork_sums one = c.all();
  c.run_beside(piece(one.span + 1), 2);
  expect_equal(c.all(), {one.work + one.span + 1, one.span + 1, one.forks + 1});
}

TEST(fork_tree, coarsens_before_it_has_too_many_nodes) {
  // Twice as many forks as there are nodes for.
  const std::uint64_t grain = fork_grain();
  fork_chain c;
  fork_sums expected;
  for (int i = 0; i != 150'000; ++i) {
    fork_chain first = piece(grain);
    c.add_fork(std::move(first), piece(1), 1);
    expected.add({grain + 1, grain, 1});
  }
  EXPECT_GT(fork_grain(), grain);
  expect_equal(c.all(), expected);
  c.close();
  int nodes = 0;
  expect_equal(sums_of(c.head(), nodes), expected);
  EXPECT_LE(nodes, 300'000);
}

TEST(site_sums, guess_by_samples_of_that_size) {
  site_sums s;
  EXPECT_EQ(s.guess(1000, unknown_work).span, 1000u);  // nothing is known: no parallelism
  s.learn_shape({1000, 100, 10}, unknown_work);
  const fork_sums twice = s.guess(2000, unknown_work);
  EXPECT_EQ(twice.work, 2000u);
  EXPECT_EQ(twice.span, 200u);
  EXPECT_EQ(twice.forks, 20u);
}

TEST(site_sums, what_a_sample_took_longer_than_expected_is_the_recorders) {
  site_sums s;
  s.learn_shape({1000, 100, 10}, 500);
  const fork_sums g = s.guess(500, 500);
  EXPECT_EQ(g.span, 50u);
  EXPECT_EQ(g.forks, 10u);
}

TEST(site_sums, know_forks_that_are_alone) {
  site_sums s;
  s.learn_shape({64'000, 64'000, 100}, 64);
  s.learn_forks(64);
  EXPECT_EQ(s.fork_ticks, 0.64);
  EXPECT_EQ(s.guess(64, 64).span, 64u);  // that sample's span was the recorder's
  site_sums with_code;
  with_code.learn_shape({64'000'000, 64'000'000, 100}, 64'000'000);
  with_code.learn_forks(64'000'000);
  EXPECT_EQ(with_code.fork_ticks, 0);
}

TEST(site_sums, samples_are_due_by_levels_of_size) {
  site_sums s;
  s.next_sample_of(1 << 12) = 77;
  EXPECT_EQ(s.next_sample_of((1 << 16) - 1), 77u);
  EXPECT_EQ(s.next_sample_of(1 << 16), 0u);
  EXPECT_EQ(s.next_sample_of((1 << 12) - 1), 0u);
}

TEST(program_tree, what_ran_beside_adds_work_and_no_chain) {
  program_tree tree;
  tree.add_beside({50, 50, 3});
  tree.append(piece(1000));
  tree.add_beside({20, 20, 1});
  tree.append(piece(100));
  tree.look([](const fork_chain& c) {
    EXPECT_EQ(c.all().work, 1170u);
    EXPECT_EQ(c.all().span, 1100u);
  });
}

TEST(site_sums, expect_the_second_side_by_the_first) {
  site_sums s;
  EXPECT_EQ(s.expect_second(100), unknown_work);
  s.learn_share(100, 300);
  EXPECT_EQ(s.expect_second(50), 150u);
  EXPECT_EQ(s.expect_first(400), 100u);
  EXPECT_EQ(s.expect_first(unknown_work), unknown_work);
}

TEST(scope_table, tells_the_longest_to_who_waits) {
  scope_table& t = scope_table::get();
  const int key = 0;
  profile::path by;
  by.add(1, 100);
  t.created(&key, by);
  EXPECT_TRUE(t.has(&key));
  for (const std::uint64_t ticks : {20u, 50u, 30u}) {
    profile::path way;
    way.add(2, ticks);
    fork_chain chain = piece(ticks);
    EXPECT_TRUE(t.ended(&key, way, false, chain, 2));
  }
  ended_tasks all;
  ASSERT_TRUE(t.take(&key, all));
  EXPECT_EQ(all.longest.length(), 150u);
  EXPECT_EQ(all.beside.all().work, 100u);
  EXPECT_EQ(all.beside.all().span, 50u);
  EXPECT_FALSE(t.take(&key, all));
  fork_chain late = piece(1);
  EXPECT_FALSE(t.ended(&key, {}, false, late, 2));
  EXPECT_EQ(late.all().work, 1u);
}

TEST(scope_table, keeps_no_more_than_so_many_keys) {
  scope_table& t = scope_table::get();
  std::vector<char> keys(100'000);
  for (const char& k : keys) t.created(&k, {});
  std::size_t taken = 0;
  for (const char& k : keys) {
    ended_tasks all;
    taken += t.take(&k, all) ? 1 : 0;
  }
  EXPECT_GT(taken, 1000u);
  EXPECT_LT(taken, keys.size());
  EXPECT_TRUE(t.empty());
}

}  // namespace
}  // namespace kasuri::sched
