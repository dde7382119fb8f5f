// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <kasuri/kasuri.h>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kasuri/arena.hpp"
#include "support/crowd.hpp"
#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

class arenas : public pool_of {};

/// Leaves visit `seen`, as many as fib(n) adds.
long fib_of_visitors(int n, crowd& seen) {
  if (n < 2) {
    seen.visit(5);
    return n;
  }
  const auto [a, b] = parallel_invoke([n, &seen] { return fib_of_visitors(n - 1, seen); },
                                      [n, &seen] { return fib_of_visitors(n - 2, seen); });
  return a + b;
}

TEST_P(arenas, bound_what_groups_run_inside) {
  for (const int bound : {1, 2, 3}) {
    arena a(bound);
    crowd seen;
    const int tasks = scaled(2000);
    a.execute([&] {
      task_group g;
      for (int i = 0; i != tasks; ++i)
        g.run([&seen] { seen.visit(); }, i % 5 == 0 ? spawn::child_first : spawn::parent_first);
      g.wait();
    });
    EXPECT_EQ(seen.visits(), tasks);
    EXPECT_LE(seen.most(), bound);
  }
}

TEST_P(arenas, bound_forks_loops_and_sorts_inside) {
  for (const int bound : {1, 2, 3}) {
    arena a(bound);
    crowd seen;
    EXPECT_EQ(a.execute([&seen] { return fib_of_visitors(14, seen); }), 377);
    std::vector<int> items(static_cast<std::size_t>(scaled(20000)));
    std::iota(items.rbegin(), items.rend(), 0);
    const long sum = a.execute([&] {
      parallel_for(0, scaled(2000), [&seen](int) { seen.visit(20); });
      parallel_sort(items.begin(), items.end(), [&seen](int x, int y) {
        if (x % 64 == 0) seen.visit(1);
        return x < y;
      });
      return parallel_reduce(
          0, 1000, 0L,
          [&seen](int i) -> long {
            seen.visit(1);
            return i;
          },
          std::plus());
    });
    EXPECT_EQ(sum, 499500);
    EXPECT_TRUE(std::is_sorted(items.begin(), items.end()));
    EXPECT_LE(seen.most(), bound);
  }
}

TEST_P(arenas, let_as_many_run_at_once_as_they_say) {
  if (GetParam() < 2) GTEST_SKIP() << "needs two workers";
  arena a(2);
  std::atomic<int> there{0};
  a.execute([&there] {
    const auto meet = [&there] {
      ++there;
      while (there != 2) std::this_thread::yield();
    };
    parallel_invoke(meet, meet);
  });
  EXPECT_EQ(there, 2);
}

TEST_P(arenas, return_and_throw_what_the_function_does) {
  arena a(1);
  int value = 1;
  EXPECT_EQ(&a.execute([&value]() -> int& { return value; }), &value);
  EXPECT_EQ(*a.execute([] { return std::make_unique<int>(7); }), 7);
  EXPECT_THROW(a.execute([] { throw std::runtime_error("thrown"); }), std::runtime_error);
  EXPECT_THROW(a.execute([] {
    task_group g;
    for (int i = 0; i != 20; ++i) g.run([] { throw std::logic_error("in a task"); });
    g.wait();
  }),
               std::logic_error);
  EXPECT_EQ(a.execute([&a] { return a.execute([] { return 3; }); }), 3);  // a plain call
}

TEST_P(arenas, are_used_by_tasks_and_threads_at_once) {
  for (const int bound : {1, 2}) {
    arena a(bound);
    crowd seen;
    const int calls = scaled(200);
    tasks_and_threads(6, 4, [&](int) {
      for (int i = 0; i != calls; ++i)
        a.execute([&seen] { parallel_invoke([&] { seen.visit(); }, [&] { seen.visit(); }); });
    });
    EXPECT_EQ(seen.visits(), 20 * calls);
    EXPECT_LE(seen.most(), bound);
  }
}

TEST_P(arenas, run_what_is_enqueued_before_they_end) {
  crowd seen;
  std::atomic<int> further{0};
  const int tasks = scaled(1000);
  {
    arena a(2);
    tasks_and_threads(2, 2, [&](int) {
      for (int i = 0; i != tasks; ++i)
        a.enqueue([&] {
          seen.visit();
          if (seen.visits() % 7 == 0) a.enqueue([&further] { ++further; });
        });
    });
  }
  EXPECT_EQ(seen.visits(), 4 * tasks);
  EXPECT_GT(further, 0);
  EXPECT_LE(seen.most(), 2);
}

TEST_P(arenas, nest_and_return_to_the_outer_one) {
  arena outer(2);
  arena inner(1);
  crowd in_outer;
  crowd in_inner;
  const int calls = scaled(300);
  outer.execute([&] {
    parallel_for(0, calls, [&](int) {
      in_outer.visit();
      inner.execute([&] { in_inner.visit(); });
      in_outer.visit();
    });
  });
  EXPECT_EQ(in_outer.visits(), 2 * calls);
  EXPECT_EQ(in_inner.visits(), calls);
  EXPECT_LE(in_outer.most(), 2);
  EXPECT_LE(in_inner.most(), 1);
}

TEST_P(arenas, that_call_each_other_end) {
  arena a(1);
  arena b(1);
  crowd in_a;
  crowd in_b;
  const int calls = scaled(300);
  tasks_and_threads(4, 2, [&](int i) {
    arena& first = i % 2 == 0 ? a : b;
    arena& second = i % 2 == 0 ? b : a;
    for (int n = 0; n != calls; ++n)
      first.execute([&] {
        (i % 2 == 0 ? in_a : in_b).visit();
        second.execute([&] {
          (i % 2 == 0 ? in_b : in_a).visit();
          first.execute([&] { (i % 2 == 0 ? in_a : in_b).visit(); });
        });
      });
  });
  EXPECT_EQ(in_a.visits() + in_b.visits(), 18 * calls);
  EXPECT_LE(in_a.most(), 1);
  EXPECT_LE(in_b.most(), 1);
}

TEST_P(arenas, give_the_permit_of_a_task_that_waits_to_another) {
  arena a(1);
  a.execute([] {
    latch told(1);
    semaphore turns(0);
    task_group g;
    for (int i = 0; i != 10; ++i)
      g.run([&] {
        told.wait();
        turns.release();
      });
    future<int> last = async([&turns] {
      for (int i = 0; i != 10; ++i) turns.acquire();
      return 5;
    });
    g.run([&told] { told.count_down(); });
    EXPECT_EQ(last.get(), 5);
    g.wait();
  });
}

TEST_P(arenas, do_not_count_tasks_in_blocking_calls) {
  arena a(1);
  for (const bool on_a_thread_of_the_program : {true, false}) {
    const auto call = [&a] {
      a.execute([] {
        std::atomic<bool> came{false};
        task_group g;
        g.run([&came] { came = true; });
        blocking([&came] {
          while (!came) std::this_thread::yield();
        });
        g.wait();
      });
    };
    if (on_a_thread_of_the_program)
      call();
    else
      async(call).get();
  }
}

TEST_P(arenas, bound_tasks_that_wait_in_turn) {
  for (const int bound : {1, 2}) {
    arena a(bound);
    crowd seen;
    mutex m;
    const int tasks = scaled(300);
    a.execute([&] {
      parallel_for(0, tasks, [&](int i) {
        seen.visit();
        {
          const std::lock_guard hold(m);
          if (i % 3 == 0) this_task::yield();
        }
        seen.visit();
        if (i % 50 == 0) sleep_for(std::chrono::microseconds(100));
        seen.visit();
      });
    });
    EXPECT_EQ(seen.visits(), 3 * tasks);
    EXPECT_LE(seen.most(), bound);
  }
}

// What does not belong to a full arena must not be hidden behind its task.
TEST_P(arenas, keep_nothing_else_from_running) {
  if (GetParam() < 2) GTEST_SKIP() << "needs two workers";
  arena a(1);
  for (int i = 0; i != scaled(20); ++i) {
    std::atomic<bool> beside{false};
    std::atomic<bool> woken{false};
    semaphore from_inside(0);
    run([&] {
      task_group waits;
      waits.run([&] {
        from_inside.acquire();
        woken = true;
      });
      parallel_invoke(
          [&] {
            a.execute([&] {
              from_inside.release();
              while (!beside || !woken) std::this_thread::yield();
            });
          },
          [&beside] { beside = true; });
      waits.wait();
    });
  }
}

TEST_P(arenas, hold_futures_that_were_made_inside) {
  crowd seen;
  std::atomic<int> followed{0};
  const int tasks = scaled(300);
  {
    arena a(2);
    a.execute([&] {
      for (int i = 0; i != tasks; ++i)
        static_cast<void>(async([&seen] {
                            fib_of_visitors(3, seen);
                            return 1;
                          }).then([&](int n) {
          seen.visit();
          followed += n;
        }));
    });
    future<int> kept = a.execute([&seen] {
      return async([&seen] {
        seen.visit();
        return 4;
      });
    });
    EXPECT_EQ(kept.get(), 4);
  }
  EXPECT_EQ(followed, tasks);
  EXPECT_EQ(seen.visits(), 4 * tasks + 1);
  EXPECT_LE(seen.most(), 2);
}

TEST_P(arenas, hold_threads_that_were_made_inside) {
  static crowd* seen;
  crowd here;
  seen = &here;
  const int threads = scaled(200);
  {
    arena a(1);
    a.execute([] {
      std::vector<kasuri_thread_t> all(static_cast<std::size_t>(threads));
      for (auto& t : all)
        ASSERT_EQ(kasuri_thread_create(
                      &t,
                      [](void*) -> void* {
                        seen->visit();
                        kasuri_yield();
                        seen->visit();
                        return nullptr;
                      },
                      nullptr, KASURI_PARENT_FIRST),
                  0);
      for (std::size_t i = 0; i != all.size(); ++i) {
        if (i % 2 == 0)
          kasuri_thread_join(all[i], nullptr);
        else
          kasuri_thread_detach(all[i]);
      }
    });
  }
  EXPECT_EQ(here.visits(), 2 * threads);
  EXPECT_LE(here.most(), 1);
}

TEST_P(arenas, run_the_tasks_of_groups_that_are_made_with_them) {
  for (const int bound : {1, 2}) {
    arena a(bound);
    crowd seen;
    const int tasks = scaled(500);
    const auto fill = [&](task_group& g) {
      for (int i = 0; i != tasks; ++i)
        g.run(
            [&seen] {
              seen.visit();
              parallel_invoke([&seen] { seen.visit(); }, [&seen] { seen.visit(); });
            },
            i % 3 == 0 ? spawn::child_first : spawn::parent_first);
    };
    {
      task_group g(a);
      fill(g);
      g.wait();  // by a thread that is no worker
      EXPECT_EQ(seen.visits(), 3 * tasks);
      run([&] {
        fill(g);
        a.execute([&] { fill(g); });
        g.wait();  // by a task outside of the arena
      });
      EXPECT_EQ(seen.visits(), 9 * tasks);
      fill(g);
      a.execute([&g] { g.wait(); });  // by one inside
    }
    EXPECT_EQ(seen.visits(), 12 * tasks);
    EXPECT_LE(seen.most(), bound);
  }
}

TEST_P(arenas, keep_the_exception_and_the_cancellation_of_their_groups) {
  arena a(1);
  run([&a] {
    task_group outer;
    outer.run([&] {
      task_group g(a);
      outer.cancel();
      EXPECT_TRUE(g.canceled());
      g.run([] { ADD_FAILURE() << "runs though the group around its own is cancelled"; });
      g.wait();
    });
    outer.wait();
    task_group g(a);
    g.run([] { throw std::runtime_error("thrown"); });
    EXPECT_THROW(g.wait(), std::runtime_error);
  });
}

TEST_P(arenas, end_and_begin_while_others_look_for_work) {
  tasks_and_threads(3, 2, [&](int) {
    for (int i = 0; i != scaled(50); ++i) {
      arena a(1 + i % 3, i % 2 == 0 ? priority::normal : priority::low);
      std::atomic<int> ran{0};
      a.enqueue([&ran] { ++ran; });
      a.execute([&ran] { parallel_for(0, 10, [&ran](int) { ++ran; }); });
      task_group g(a);
      g.run([&ran] { ++ran; });
      g.wait();
      while (ran != 12) this_task::yield();
    }
  });
}

TEST_P(arenas, say_their_bound) {
  EXPECT_EQ(arena(3).max_concurrency(), 3);
  EXPECT_EQ(arena(priority::high).max_concurrency(), GetParam());
  EXPECT_THROW(arena(0), std::invalid_argument);
  EXPECT_THROW(arena(-1), std::invalid_argument);
  EXPECT_THROW(arena(2049), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(workers, arenas, testing::Values(1, 2, 4, 16),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace kasuri::test
