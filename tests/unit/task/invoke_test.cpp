// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

class invoke : public pool_of {};

struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Until a thief has begun the other closure, or for some turns.
void let_it_be_stolen(const std::atomic<bool>& begun) {
  for (int i = 0; i != 2000 && !begun; ++i) this_task::yield();
}

TEST_P(invoke, gives_results_in_order) {
  const auto [a, b] = parallel_invoke([] { return 1; }, [] { return std::string("two"); });
  EXPECT_EQ(a, 1);
  EXPECT_EQ(b, "two");
  const auto constant = []() -> const std::string { return "c"; };
  EXPECT_EQ(std::get<1>(parallel_invoke(constant, constant)), "c");
  const auto four = parallel_invoke([] { return 1; }, [] {}, [] { return 3.0; }, [] {});
  static_assert(std::is_same_v<std::decay_t<decltype(four)>,
                               std::tuple<int, std::monostate, double, std::monostate>>);
  EXPECT_EQ(std::get<2>(four), 3.0);
  static_assert(std::is_void_v<decltype(parallel_invoke([] {}, [] {}, [] {}))>);
}

TEST_P(invoke, moves_what_cannot_be_copied) {
  auto held = std::make_unique<int>(5);
  auto [a, b] = parallel_invoke([] { return std::make_unique<int>(1); },
                                [held = std::move(held)]() mutable { return std::move(held); });
  EXPECT_EQ(*a + *b, 6);
}

TEST_P(invoke, destroys_each_result_and_closure_once) {
  static std::atomic<int> alive;
  struct counted {
    counted() { ++alive; }
    counted(const counted&) { ++alive; }
    ~counted() { --alive; }
  };
  alive = 0;
  for (int i = 0; i != scaled(200); ++i) {
    run([] {
      std::atomic<bool> begun{false};
      const auto r = parallel_invoke(
          [&begun] {
            let_it_be_stolen(begun);
            return counted();
          },
          [&begun, held = counted()] {
            begun = true;
            return held;
          });
      EXPECT_GE(alive, 2);
      static_cast<void>(r);
    });
    try {
      run([] {
        std::atomic<bool> begun{false};
        parallel_invoke(
            [&begun]() -> int {
              let_it_be_stolen(begun);
              throw error("f");
            },
            [&begun, held = counted()] {
              begun = true;
              return held;
            });
      });
      ADD_FAILURE();
    } catch (const error&) {
    }
    ASSERT_EQ(alive, 0);
  }
}

TEST_P(invoke, throws_the_first_exception_in_order) {
  for (int i = 0; i != scaled(200); ++i) {
    for (int who = 1; who != 4; ++who) {
      std::atomic<bool> begun{false};
      std::string caught;
      try {
        run([&] {
          parallel_invoke(
              [&] {
                let_it_be_stolen(begun);
                if ((who & 1) != 0) throw error("f");
              },
              [&] {
                begun = true;
                if ((who & 2) != 0) throw error("g");
              });
        });
      } catch (const error& e) {
        caught = e.what();
      }
      ASSERT_EQ(caught, (who & 1) != 0 ? "f" : "g");
    }
  }
}

TEST_P(invoke, waits_for_a_begun_second_closure_before_the_exception_leaves) {
  for (int i = 0; i != scaled(200); ++i) {
    std::atomic<bool> begun{false};
    std::atomic<bool> ended{false};
    try {
      run([&] {
        parallel_invoke(
            [&] {
              let_it_be_stolen(begun);
              throw error("f");
            },
            [&] {
              begun = true;
              for (int n = 0; n != 20; ++n) this_task::yield();
              ended = true;
            });
      });
      ADD_FAILURE();
    } catch (const error&) {
      ASSERT_EQ(begun, ended);
    }
  }
}

// Handlers that suspend: the exception goes with the task, whichever worker it goes on on.
void handle_in_turns(int depth) {
  try {
    throw error(std::to_string(depth));
  } catch (const error& e) {
    const std::exception_ptr mine = std::current_exception();
    for (int i = 0; i != 3; ++i) this_task::yield();
    if (depth != 0)
      parallel_invoke([depth] { handle_in_turns(depth - 1); },
                      [depth] { handle_in_turns(depth - 1); });
    EXPECT_EQ(std::current_exception(), mine);
    EXPECT_EQ(e.what(), std::to_string(depth));
    EXPECT_EQ(std::uncaught_exceptions(), 0);
  }
}

TEST_P(invoke, suspends_inside_handlers) {
  for (int i = 0; i != scaled(20); ++i) run([] { handle_in_turns(6); });
}

TEST_P(invoke, suspends_while_the_stack_unwinds) {
  struct at_exit {
    ~at_exit() {
      EXPECT_EQ(std::uncaught_exceptions(), 1);
      parallel_invoke([] { this_task::yield(); }, [] { this_task::yield(); });
      EXPECT_EQ(std::uncaught_exceptions(), 1);
    }
  };
  for (int i = 0; i != scaled(500); ++i)
    run([] {
      try {
        const at_exit later;
        throw error("through");
      } catch (const error&) {
        EXPECT_EQ(std::uncaught_exceptions(), 0);
      }
    });
}

// A task sees no exception of the task that its worker left in a handler.
TEST_P(invoke, begins_without_the_exceptions_of_others) {
  run([] {
    semaphore go_on(0);
    parallel_invoke(
        [&go_on] {
          try {
            throw error("mine");
          } catch (const error&) {
            go_on.acquire();
            EXPECT_NE(std::current_exception(), nullptr);
          }
        },
        [&go_on] {
          EXPECT_EQ(std::current_exception(), nullptr);
          go_on.release();
        });
  });
}

long depth_sum(long depth) {
  if (depth == 0) return 0;
  const auto [below, one] =
      parallel_invoke([depth] { return depth_sum(depth - 1); }, [] { return 1L; });
  return below + one;
}

// Deeper than a deque: pushes that are refused stay with the caller.
TEST(invoke_exhaustion, a_full_deque_keeps_frames_with_their_callers) {
  if (sanitized) GTEST_SKIP() << "needs plain stack frames";
  initialize({.workers = 1, .stack_size = std::size_t{1} << 30});
  constexpr long depth = (1 << 20) + 50'000;
  long sum = 0;
  run([&sum] {
    task_group g;
    g.run([&sum] { sum = depth_sum(depth); }, spawn::child_first);
    g.wait();
  });
  EXPECT_EQ(sum, depth);
  finalize();
}

INSTANTIATE_TEST_SUITE_P(workers, invoke, testing::Values(1, 2, 4),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace kasuri::test
