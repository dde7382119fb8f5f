// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <kasuri/kasuri.h>
#include <stdexcept>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

class groups : public pool_of {};

TEST_P(groups, run_every_task_once_by_either_policy) {
  constexpr int tasks = 2000;
  std::vector<std::atomic<int>> ran(tasks);
  run([&ran] {
    task_group g;
    for (int i = 0; i != tasks; ++i)
      g.run([&ran, i] { ++ran[static_cast<std::size_t>(i)]; },
            i % 3 == 0 ? spawn::child_first : spawn::parent_first);
    g.wait();
  });
  for (const auto& r : ran) ASSERT_EQ(r, 1);
}

// A request stands until the owner answers. Here each task of the waiter lasts until it is asked.
TEST_P(groups, who_waits_answers_thieves_between_tasks) {
  if (num_workers() < 2) GTEST_SKIP() << "no thief";
  constexpr int most_rounds = 1000;
  int answered = 0;
  for (int round = 0; round != most_rounds && answered == 0; ++round)
    run([&answered] {
      constexpr int tasks = 64;
      std::atomic<int> begun{0};
      std::atomic<bool> waits{false};
      bool was_asked = false;
      const int waiter = this_task::worker();
      task_group g;
      for (int i = 0; i != tasks; ++i)
        g.run([&] {
          ++begun;
          // On one processor a thief would help itself to all in one go.
          if (!waits || this_task::worker() != waiter) return detail::yield_processor();
          if (was_asked && !detail::work_wanted()) ++answered;
          while (begun != tasks && !detail::work_wanted()) detail::yield_processor();
          was_asked = detail::work_wanted();
        });
      waits = true;
      g.wait();
    });
  EXPECT_NE(answered, 0);
}

TEST_P(groups, may_be_used_again_after_a_wait) {
  run([] {
    task_group g;
    int sum = 0;
    for (int round = 0; round != 100; ++round) {
      std::atomic<int> now{0};
      for (int i = 0; i != round % 5; ++i) g.run([&now] { ++now; });
      g.wait();
      sum += now;
    }
    EXPECT_EQ(sum, 200);
  });
}

TEST_P(groups, tasks_add_tasks) {
  std::atomic<int> count{0};
  run([&count] {
    task_group g;
    struct adder {
      task_group& g;
      std::atomic<int>& count;
      void operator()(int depth) const {
        ++count;
        if (depth == 0) return;
        for (int i = 0; i != 2; ++i)
          g.run([*this, depth] { (*this)(depth - 1); },
                i == 0 ? spawn::child_first : spawn::parent_first);
      }
    };
    adder{g, count}(9);
    g.wait();
  });
  EXPECT_EQ(count, (1 << 10) - 1);
}

TEST_P(groups, of_a_foreign_thread) {
  std::atomic<int> count{0};
  task_group g;
  for (int i = 0; i != 1000; ++i)
    g.run([&count] { ++count; }, i % 2 == 0 ? spawn::child_first : spawn::parent_first);
  g.wait();
  EXPECT_EQ(count, 1000);
}

TEST_P(groups, throw_the_first_exception_and_skip_what_has_not_begun) {
  run([] {
    task_group g;
    std::atomic<bool> thrown{false};
    std::atomic<int> after{0};
    g.run(
        [&thrown] {
          thrown = true;
          throw std::runtime_error("first");
        },
        spawn::child_first);
    while (!thrown) this_task::yield();
    EXPECT_THROW(
        {
          for (int i = 0; i != 100; ++i) g.run([&after] { ++after; });
          g.wait();
        },
        std::runtime_error);
    g.run([&after] { after = 1000; });  // as new
    g.wait();
    EXPECT_EQ(after, 1000);
  });
}

TEST_P(groups, cancel_nested_groups_and_no_others) {
  run([] {
    std::atomic<int> skipped_ran{0};
    std::atomic<bool> other_ran{false};
    task_group outer;
    task_group other;
    outer.run([&] {
      task_group inner;
      outer.cancel();
      EXPECT_TRUE(this_task::canceled());
      EXPECT_TRUE(inner.canceled());
      for (int i = 0; i != 10; ++i) inner.run([&skipped_ran] { ++skipped_ran; });
      inner.wait();
    });
    other.run([&other_ran] { other_ran = true; });
    outer.wait();
    other.wait();
    EXPECT_EQ(skipped_ran, 0);
    EXPECT_TRUE(other_ran);
    EXPECT_FALSE(outer.canceled());
  });
}

TEST_P(groups, destroy_what_tasks_hold_although_they_do_not_run) {
  struct counted {
    std::atomic<int>* alive;
    explicit counted(std::atomic<int>* a) : alive(a) { ++*alive; }
    counted(const counted& c) : alive(c.alive) { ++*alive; }
    ~counted() { --*alive; }
  };
  std::atomic<int> alive{0};
  run([&alive] {
    task_group g;
    g.cancel();
    for (int i = 0; i != 100; ++i)
      g.run([held = counted(&alive)] { static_cast<void>(held); },
            i % 2 == 0 ? spawn::child_first : spawn::parent_first);
    g.wait();
  });
  EXPECT_EQ(alive, 0);
}

TEST_P(groups, wait_in_the_destructor_and_drop_exceptions) {
  std::atomic<bool> begun{false};
  std::atomic<bool> ended{false};
  testing::internal::CaptureStderr();
  run([&] {
    task_group g;
    g.run(
        [&] {
          begun = true;
          for (int i = 0; i != 10; ++i) this_task::yield();
          ended = true;
        },
        spawn::child_first);
    // The exception cancels tasks that have not begun; a child may be overtaken before it does.
    while (!begun) this_task::yield();
    g.run([]() -> void { throw std::runtime_error("dropped"); });
  });
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("an exception that a task threw: dropped; accepted: wait()"),
            std::string::npos)
      << said;
  EXPECT_TRUE(begun);
  EXPECT_TRUE(ended);
}

TEST_P(groups, say_nothing_of_an_exception_beside_one_that_is_on_its_way) {
  testing::internal::CaptureStderr();
  EXPECT_THROW(run([] {
                 task_group g;
                 g.run([]() -> void { throw std::runtime_error("of a task"); });
                 throw std::logic_error("of the owner");
               }),
               std::logic_error);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// The ends of a group's tasks must reach its waiter although the worker that counted them goes on
// with something else for long.
TEST_P(groups, end_although_an_unrelated_thread_waits_for_that) {
  for (int turn = 0; turn != scaled(200); ++turn) {
    run([] {
      static std::atomic<bool> over;
      over = false;
      const auto wait_for_it = [](void*) -> void* {
        while (!over) kasuri_yield();
        return nullptr;
      };
      kasuri_thread_t t;
      task_group g;
      for (int i = 0; i != 3; ++i) g.run([] {}, spawn::child_first);
      ASSERT_EQ(kasuri_thread_create(&t, wait_for_it, nullptr, KASURI_CHILD_FIRST), 0);
      g.wait();
      over = true;
      ASSERT_EQ(kasuri_thread_join(t, nullptr), 0);
    });
  }
}

// Children of children whose parents' continuations were taken while they ran.
TEST_P(groups, nested_child_first_with_suspensions) {
  struct nest {
    static int dig(int depth) {
      if (depth == 0) return 1;
      int left = 0;
      int right = 0;
      task_group g;
      g.run(
          [&left, depth] {
            if (depth % 2 == 0) this_task::yield();
            left = dig(depth - 1);
          },
          spawn::child_first);
      g.run(
          [&right, depth] {
            right = dig(depth - 1);
            if (depth % 3 == 0) this_task::yield();
          },
          spawn::child_first);
      g.wait();
      return left + right;
    }
  };
  for (int i = 0; i != scaled(30); ++i) ASSERT_EQ(run([] { return nest::dig(9); }), 1 << 9);
}

INSTANTIATE_TEST_SUITE_P(workers, groups, testing::Values(1, 2, 4),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace kasuri::test
