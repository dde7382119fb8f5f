// SPDX-License-Identifier: Apache-2.0
// Slots, and what lies in them.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <kasuri/kasuri.h>
#include <kasuri/kasuri.hpp>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

struct alignas(64) plain_count {
  long value = 0;
};

class slots : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    finalize();
    initialize({.workers = GetParam()});
  }
  void TearDown() override { finalize(); }
};

/// `callers` threads that are no workers call f at once.
template <class F>
void call_from(int callers, F f) {
  std::vector<std::thread> all;
  for (int i = 0; i != callers; ++i) all.emplace_back(f);
  for (std::thread& t : all) t.join();
}

long sum_of(const std::vector<plain_count>& counts) {
  long sum = 0;
  for (const plain_count& c : counts) sum += c.value;
  return sum;
}

TEST_P(slots, are_a_bound_that_can_be_asked_for) {
  EXPECT_GE(max_slots(), num_workers());
  EXPECT_EQ(kasuri_max_slots(), max_slots());
  EXPECT_EQ(this_task::slot(), -1);
  EXPECT_EQ(kasuri_slot(), -1);
  run([] {
    EXPECT_EQ(this_task::slot(), this_task::slot());
    EXPECT_EQ(kasuri_slot(), this_task::slot());
  });
}

TEST_P(slots, count_plainly_and_lose_nothing) {
  const int n = scaled(20000);
  std::vector<plain_count> counts(static_cast<std::size_t>(max_slots()));
  call_from(8, [&] {
    for (int round = 0; round != 10; ++round)
      parallel_for(0, n / 10,
                   [&](int) { ++counts.at(static_cast<std::size_t>(this_task::slot())).value; });
  });
  EXPECT_EQ(sum_of(counts), 8L * 10 * (n / 10));
}

TEST_P(slots, are_there_in_loops_that_are_not_divided) {
  int slot = -1;
  parallel_for(0, 1, [&slot](int) { slot = this_task::slot(); });
  EXPECT_GE(slot, 0);
  EXPECT_LT(slot, max_slots());
  EXPECT_EQ(this_task::slot(), -1);
}

TEST_P(slots, belong_to_one_task_until_it_blocks) {
  std::vector<std::atomic<int>> inside(static_cast<std::size_t>(max_slots()));
  std::atomic<int> shared{0}, ran{0};
  const int n = scaled(500);
  call_from(6, [&] {
    run([&] {
      task_group g;
      for (int i = 0; i != n; ++i)
        g.run([&] {
          std::atomic<int>& mine = inside.at(static_cast<std::size_t>(this_task::slot()));
          if (mine.fetch_add(1) != 0) ++shared;
          for (int spin = 0; spin != 100; ++spin) asm volatile("");
          mine.fetch_sub(1);
          this_task::yield();
          ++ran;
        });
      g.wait();
    });
  });
  EXPECT_EQ(shared, 0);
  EXPECT_EQ(ran, 6 * n);
}

TEST_P(slots, are_low_while_no_more_threads_run_than_configured) {
  std::atomic<int> most{0};
  const std::uint64_t lent_before = test::threads_lent();
  call_from(8, [&] {
    parallel_for(0, scaled(2000), [&](int) {
      const int slot = this_task::slot();
      for (int seen = most; slot > seen && !most.compare_exchange_weak(seen, slot);) {
      }
    });
  });
  if (test::threads_lent() == lent_before) {
    EXPECT_LT(most, num_workers());
  }
}

TEST_P(slots, are_bounded_with_guests_and_spares) {
  std::vector<plain_count> counts(static_cast<std::size_t>(max_slots()));
  const int n = scaled(20);
  call_from(12, [&] {
    run([&] {
      task_group g;
      for (int i = 0; i != n; ++i)
        g.run([&] {
          plain_count& mine = counts.at(static_cast<std::size_t>(this_task::slot()));
          const int before = this_task::slot();
          ::usleep(200);
          EXPECT_EQ(this_task::slot(), before) << "blocking in the system keeps the slot";
          ++mine.value;
          ::usleep(200);
          ++mine.value;
        });
      g.wait();
    });
  });
  EXPECT_EQ(sum_of(counts), 12L * n * 2);
}

TEST_P(slots, combinable_sums_what_all_have_added) {
  const int n = scaled(20000);
  combinable<long> sums;
  call_from(8, [&] {
    parallel_for(0, n, [&](int i) { sums.local() += i; });
    sums.local() += 1;  // a thread that is in no task
  });
  const long expected = 8L * (static_cast<long>(n) * (n - 1) / 2 + 1);
  EXPECT_EQ(sums.combine([](long a, long b) { return a + b; }), expected);
  long sum = 0;
  sums.combine_each([&sum](long& part) { sum += part; });
  EXPECT_EQ(sum, expected);
}

TEST_P(slots, combinable_of_tasks_that_block_between) {
  combinable<long> sums;
  const int n = scaled(1000);
  call_from(4, [&] {
    run([&] {
      task_group g;
      for (int i = 0; i != n; ++i)
        g.run([&] {
          ++sums.local();
          this_task::yield();
          ++sums.local();
        });
      g.wait();
    });
  });
  EXPECT_EQ(sums.combine(std::plus<long>()), 4L * n * 2);
}

TEST_P(slots, combinable_with_a_factory_that_blocks) {
  std::atomic<int> made{0};
  combinable<std::vector<int>> all([&made] {
    ++made;
    if (this_task::slot() >= 0) this_task::yield();
    return std::vector<int>();
  });
  const int n = scaled(2000);
  run([&] {
    task_group g;
    for (int i = 0; i != n; ++i) g.run([&all, i] { all.local().push_back(i); });
    g.wait();
  });
  std::vector<bool> seen(static_cast<std::size_t>(n));
  int twice = 0, elements = 0;
  all.combine_each([&](const std::vector<int>& part) {
    ++elements;
    for (const int i : part) {
      twice += seen[static_cast<std::size_t>(i)];
      seen[static_cast<std::size_t>(i)] = true;
    }
  });
  EXPECT_EQ(twice, 0);
  EXPECT_EQ(std::ranges::count(seen, true), n);
  EXPECT_GE(made, elements);
}

INSTANTIATE_TEST_SUITE_P(workers, slots, testing::Values(1, 2, 4),
                         testing::PrintToStringParamName());

TEST(combinable_object, begins_as_its_factory_says) {
  combinable<int> c([] { return 5; });
  EXPECT_EQ(c.combine(std::plus<int>()), 5) << "without elements";
  bool exists = true;
  EXPECT_EQ(c.local(exists), 5);
  EXPECT_FALSE(exists);
  c.local(exists) += 2;
  EXPECT_TRUE(exists);
  EXPECT_EQ(c.combine(std::plus<int>()), 7);
  c.clear();
  c.local(exists);
  EXPECT_FALSE(exists);
  EXPECT_EQ(c.local(), 5);
}

TEST(combinable_object, has_an_element_for_each_thread_outside) {
  combinable<int> c;
  c.local() = 1;
  std::thread other([&c] { c.local() = 2; });
  other.join();
  EXPECT_EQ(c.local(), 1);
  EXPECT_EQ(c.combine(std::plus<int>()), 3);
}

TEST(combinable_object, holds_what_only_moves) {
  combinable<std::unique_ptr<int>> c([] { return std::make_unique<int>(1); });
  run([&c] { ++*c.local(); });
  ++*c.local();
  int sum = 0;
  c.combine_each([&sum](std::unique_ptr<int>& p) { sum += *p; });
  EXPECT_EQ(sum, 4);
}

TEST(combinable_object, has_no_element_when_the_factory_throws) {
  bool throws = true;
  combinable<int> c([&throws] {
    if (throws) throw std::runtime_error("no");
    return 1;
  });
  EXPECT_THROW(run([&c] { c.local() += 1; }), std::runtime_error);
  EXPECT_THROW(c.local(), std::runtime_error);
  throws = false;
  int elements = 0;
  c.combine_each([&elements](int) { ++elements; });
  EXPECT_EQ(elements, 0);
  run([&c] { c.local() += 1; });
  EXPECT_EQ(c.combine(std::plus<int>()), 2);
}

}  // namespace
}  // namespace kasuri::test
