// SPDX-License-Identifier: Apache-2.0
// Loops in the tree of what was recorded: one node each, however they were divided. Each test is a
// process of its own, as in measured_test.cpp.

#include <gtest/gtest.h>

#include <atomic>
#include <kasuri/kasuri.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "sched/measure/program_tree.hpp"
#include "unit/sched/measure/recorded_child.hpp"

namespace kasuri::test {
namespace {

void add_loops(const sched::fork_tree_node* list, std::vector<std::uint64_t>& all) {
  for (const sched::fork_tree_node* n = list; n != nullptr; n = n->next) {
    add_loops(n->first, all);
    add_loops(n->second, all);
    if (n->loop.iterations == 0) continue;
    all.push_back(n->loop.iterations);
    KASURI_TEST_EXPECT(n->first == nullptr && n->second == nullptr);
    KASURI_TEST_EXPECT(n->fork.span >= 1 && n->fork.span <= n->fork.work);
  }
}

/// The iterations of all loops, in their order. What nobody waits for may stand beside them.
std::vector<std::uint64_t> loops_of_the_tree() {
  std::vector<std::uint64_t> all;
  sched::program_tree::get().look([&](const sched::fork_chain& c) { add_loops(c.head(), all); });
  return all;
}

class measured_loops : public recorded_child {};

std::atomic<std::uint64_t> sum{0};

/// Some tens of microseconds.
void work() {
  std::uint64_t x = sum.load(std::memory_order_relaxed);
  for (int i = 0; i != 20'000; ++i) x = (x ^ (x >> 29)) * 6364136223846793005u + 1;
  sum.fetch_add(x | 1, std::memory_order_relaxed);
}

TEST_P(measured_loops, each_is_one_node_with_its_iterations) {
  in_child(
      [] {
        parallel_for(0, 64, [](int) { work(); });
        run([] { parallel_for(0, 100, [](int) { work(); }); });
        KASURI_TEST_EXPECT(parallel_reduce(
                               0, 200, 0,
                               [](int) {
                                 work();
                                 return 1;
                               },
                               [](int a, int b) { return a + b; }) == 200);
      },
      [] {
        const std::vector<std::uint64_t> loops = loops_of_the_tree();
        KASURI_TEST_EXPECT(loops.size() == 3);
        KASURI_TEST_EXPECT(loops.size() == 3 && loops[0] == 64 && loops[1] == 100);
      });
}

TEST_P(measured_loops, one_within_another_is_part_of_it) {
  in_child(
      [] {
        std::atomic<int> ran{0};
        parallel_for(0, 4, [&](int) {
          parallel_for(0, 20, [&](int) {
            work();
            ++ran;
          });
        });
        KASURI_TEST_EXPECT(ran == 80);
      },
      [] { KASURI_TEST_EXPECT(loops_of_the_tree() == std::vector<std::uint64_t>{4}); });
}

TEST_P(measured_loops, one_that_throws_ends_too) {
  in_child(
      [] {
        int caught = 0;
        for (int k = 0; k != 20; ++k) try {
            parallel_for(0, 50, [k](int i) {
              work();
              if (i == 2 * k) throw std::runtime_error("stop");
            });
          } catch (const std::runtime_error&) {
            ++caught;
          }
        KASURI_TEST_EXPECT(caught == 20);
        parallel_for(0, 64, [](int) { work(); });
      },
      [] {
        const std::vector<std::uint64_t> loops = loops_of_the_tree();
        KASURI_TEST_EXPECT(!loops.empty() && loops.back() == 64);
      });
}

TEST_P(measured_loops, forks_around_and_within_stay_whole) {
  in_child(
      [] {
        std::atomic<int> ran{0};
        const auto side = [&] {
          parallel_for(0, 30, [&](int) { parallel_invoke([&] { ++ran; }, work); });
        };
        for (int k = 0; k != 10; ++k) parallel_invoke(side, side);
        KASURI_TEST_EXPECT(ran == 600);
      },
      [] {
        sched::program_tree::get().look([](const sched::fork_chain& c) {
          KASURI_TEST_EXPECT(c.all().work > 0 && c.all().span <= c.all().work);
        });
      });
}

TEST_P(measured_loops, very_many_short_ones_are_run) {
  in_child(
      [] {
        std::atomic<long> ran{0};
        run([&] {
          for (int k = 0; k != 20'000; ++k)
            parallel_for(0, 10, [&](int) { ran.fetch_add(1, std::memory_order_relaxed); });
        });
        KASURI_TEST_EXPECT(ran == 200'000);
      },
      [] {});
}

INSTANTIATE_TEST_SUITE_P(pools, measured_loops,
                         testing::Combine(testing::Values(1, 2, 5),
                                          testing::Values("near", "random", "adws")),
                         [](const auto& p) {
                           return std::string(std::get<1>(p.param)) + "_" +
                                  std::to_string(std::get<0>(p.param));
                         });

}  // namespace
}  // namespace kasuri::test
