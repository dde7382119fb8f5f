// SPDX-License-Identifier: Apache-2.0
// What is measured of programs whose forks and tasks are known; and that they run as ever while it
// is. Each test is a process of its own: a worker records from its making on, or never.

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <kasuri/kasuri.hpp>
#include <kasuri/kasuri.h>
#include <new>
#include <stdexcept>
#include <string>

#include "profile/base/sites.hpp"
#include "sched/measure/fork_recorder.hpp"
#include "sched/measure/program_tree.hpp"
#include "sched/worker/worker.hpp"
#include "support/last_stack.hpp"
#include "support/scale.hpp"
#include "unit/sched/measure/recorded_child.hpp"

namespace kasuri::test {
namespace {

struct totals {
  std::uint64_t seen = 0;
  std::uint64_t inner = 0;
  std::uint64_t skipped = 0;
  std::uint64_t unmeasured = 0;
  std::uint64_t leaves = 0;
};

/// Of all sites of that kind. The pool has ended.
totals sums_of(profile::site_kind kind) {
  totals all;
  for (const sched::fork_recorder* r = sched::newest_fork_recorder(); r != nullptr; r = r->next)
    for (std::size_t i = 0; i != profile::most_sites; ++i) {
      const auto site = static_cast<profile::site_id>(i);
      const sched::site_sums* const s = r->look(site);
      if (s == nullptr || profile::place_of(site).kind != kind) continue;
      all.seen += s->seen.get();
      all.inner += s->inner.get();
      all.skipped += s->skipped.get();
      all.unmeasured += s->unmeasured.get();
      all.leaves += s->leaves.get();
    }
  return all;
}

class measured : public recorded_child {};

/// The heap keeps room for the letters by which the threads that wait are woken in the end.
void limit_address_space() {
  mallopt(M_TOP_PAD, 1 << 20);
  const rlimit limit{rlim_t{1} << 30, rlim_t{1} << 30};
  KASURI_TEST_EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
}

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = parallel_invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

std::uint64_t forks_of_fib(int n) {
  return n < 2 ? 0 : 1 + forks_of_fib(n - 1) + forks_of_fib(n - 2);
}

/// Forks only on its first sides: nothing is known of any before all have begun.
int chain(int depth) {
  if (depth == 0) return 0;
  const auto [a, b] = parallel_invoke([depth] { return chain(depth - 1); }, [] { return 1; });
  return a + b;
}

TEST_P(measured, results_are_those_of_the_serial_program) {
  in_child(
      [] {
        for (int i = 0; i != 20; ++i) KASURI_TEST_EXPECT(run([] { return fib(20); }) == 6765);
        KASURI_TEST_EXPECT(fib(20) == 6765);
      },
      [] {
        const totals t = sums_of(profile::site_kind::fork);
        KASURI_TEST_EXPECT(t.seen + t.skipped + t.unmeasured >= 19);
        KASURI_TEST_EXPECT(t.seen + t.skipped <= 21 * forks_of_fib(20));
      });
}

TEST_P(measured, each_fork_of_a_first_descent_is_seen) {
  in_child([] { KASURI_TEST_EXPECT(run([] { return chain(500); }) == 500); },
           [] {
             const totals t = sums_of(profile::site_kind::fork);
             const bool routes = std::string(std::get<1>(GetParam())) == "adws";
             KASURI_TEST_EXPECT(t.seen + t.unmeasured <= 500);
             KASURI_TEST_EXPECT(routes || t.seen + t.unmeasured == 500);
             KASURI_TEST_EXPECT(t.skipped == 0);
             sched::program_tree::get().look([&](const sched::fork_chain& c) {
               KASURI_TEST_EXPECT(c.all().span <= c.all().work);
               KASURI_TEST_EXPECT(c.all().work > 0);
               KASURI_TEST_EXPECT(routes || c.all().forks >= t.seen);
             });
           });
}

TEST_P(measured, exceptions_reach_the_caller) {
  in_child(
      [] {
        int caught = 0;
        std::atomic<int> ran{0};
        for (int i = 0; i != 300; ++i) try {
            parallel_invoke(
                [&] {
                  parallel_invoke([&] { ++ran; }, [&] { ++ran; });
                  if (i % 3 == 0) throw std::runtime_error("first");
                },
                [&] {
                  fib(8);
                  if (i % 3 == 1) throw std::runtime_error("second");
                });
          } catch (const std::runtime_error&) {
            ++caught;
          }
        KASURI_TEST_EXPECT(caught == 200);
        KASURI_TEST_EXPECT(ran == 600);
      },
      [] { KASURI_TEST_EXPECT(sums_of(profile::site_kind::fork).seen > 0); });
}

TEST_P(measured, each_task_of_a_group_is_counted) {
  in_child(
      [] {
        std::atomic<int> ran{0};
        run([&] {
          for (int i = 0; i != 10; ++i) {
            task_group g;
            for (int k = 0; k != 100; ++k) g.run([&] { ++ran; });
            g.wait();
          }
        });
        task_group outside;
        for (int k = 0; k != 100; ++k) outside.run([&] { ++ran; });
        outside.wait();
        KASURI_TEST_EXPECT(ran == 1100);
      },
      [] {
        const totals t = sums_of(profile::site_kind::group_task);
        KASURI_TEST_EXPECT(t.seen + t.unmeasured == 1100);
      });
}

/// A tree of groups; its tasks, with itself.
int nodes_of(int depth) {
  if (depth == 0) return 1;
  std::atomic<int> below{0};
  task_group g;
  for (int i = 0; i != 3; ++i) g.run([&below, depth] { below += nodes_of(depth - 1); });
  g.wait();
  return 1 + below;
}

TEST_P(measured, tasks_that_wait_for_tasks_are_no_short_ones) {
  in_child([] { KASURI_TEST_EXPECT(run([] { return nodes_of(6); }) == 1093); },
           [] {
             const totals t = sums_of(profile::site_kind::group_task);
             KASURI_TEST_EXPECT(t.seen + t.unmeasured == 1092);
             bool known = false;
             for (sched::fork_recorder* r = sched::newest_fork_recorder(); r != nullptr;
                  r = r->next)
               for (std::size_t i = 0; i != profile::most_sites; ++i) {
                 const sched::site_sums* const s = r->look(static_cast<profile::site_id>(i));
                 known |= s != nullptr && s->creates_tasks;
               }
             KASURI_TEST_EXPECT(known);
           });
}

TEST_P(measured, a_cancelled_group_ends) {
  in_child(
      [] {
        bool threw = false;
        std::atomic<int> ran{0};
        run([&] {
          task_group g;
          g.cancel();
          for (int k = 0; k != 100; ++k) g.run([&] { ++ran; });
          g.wait();
          for (int k = 0; k != 100; ++k)
            g.run([&, k] {
              fib(6);
              if (k % 10 == 0) throw std::logic_error("stop");
            });
          try {
            g.wait();
          } catch (const std::logic_error&) {
            threw = true;
          }
        });
        KASURI_TEST_EXPECT(threw);
        KASURI_TEST_EXPECT(ran == 0);
      },
      [] {
        const totals t = sums_of(profile::site_kind::group_task);
        KASURI_TEST_EXPECT(t.seen + t.unmeasured == 200);
      });
}

TEST_P(measured, tasks_that_wait_for_each_other) {
  in_child(
      [] {
        std::atomic<int> passed{0};
        run([&] {
          semaphore open(0);
          task_group g;
          for (int k = 0; k != 50; ++k)
            g.run([&] {
              open.acquire();
              fib(5);
              ++passed;
            });
          g.run([&] { open.release(50); });
          g.wait();
        });
        KASURI_TEST_EXPECT(passed == 50);
      },
      [] {
        const totals t = sums_of(profile::site_kind::group_task);
        KASURI_TEST_EXPECT(t.seen + t.unmeasured == 51);
      });
}

void* add_one(void* counter) {
  fib(4);
  ++*static_cast<std::atomic<int>*>(counter);
  return counter;
}

TEST_P(measured, each_thread_is_counted_at_its_own_code) {
  if (std::string(std::get<1>(GetParam())) == "adws") GTEST_SKIP() << "all may be queued there";
  in_child(
      [] {
        std::atomic<int> ran{0};
        run([&] {
          kasuri_thread_t threads[40];
          for (int i = 0; i != 40; ++i)
            KASURI_TEST_EXPECT(
                kasuri_thread_create(&threads[i], add_one, &ran,
                                     i % 2 == 0 ? KASURI_CHILD_FIRST : KASURI_PARENT_FIRST) ==
                KASURI_SUCCESS);
          for (const kasuri_thread_t t : threads) {
            void* result = nullptr;
            KASURI_TEST_EXPECT(kasuri_thread_join(t, &result) == KASURI_SUCCESS);
            KASURI_TEST_EXPECT(result == &ran);
          }
        });
        KASURI_TEST_EXPECT(ran == 40);
      },
      [] {
        // One that its joiner runs itself is the joiner's code: that may be all that are queued.
        const totals t = sums_of(profile::site_kind::thread);
        KASURI_TEST_EXPECT(t.seen + t.unmeasured >= 20);
        KASURI_TEST_EXPECT(t.seen + t.unmeasured <= 40);
      });
}

TEST_P(measured, tasks_created_child_first_are_counted) {
  in_child(
      [] {
        std::atomic<int> ran{0};
        run([&] {
          task_group g;
          for (int k = 0; k != 200; ++k)
            g.run(
                [&, k] {
                  if (k % 7 == 0) this_task::yield();
                  ++ran;
                },
                spawn::child_first);
          g.wait();
        });
        KASURI_TEST_EXPECT(ran == 200);
      },
      [] {
        const totals t = sums_of(profile::site_kind::group_task);
        KASURI_TEST_EXPECT(t.seen + t.unmeasured == 200);
      });
}

TEST_P(measured, futures_and_loops_run_as_ever) {
  in_child(
      [] {
        std::atomic<long> sum{0};
        run([&] {
          auto f = async([] { return fib(12); });
          parallel_for(0, 1000, [&](int i) { sum += i; });
          KASURI_TEST_EXPECT(f.get() == 144);
        });
        auto g = async([] { return fib(12); });
        KASURI_TEST_EXPECT(g.get() == 144);
        KASURI_TEST_EXPECT(sum == 999 * 500);
      },
      [] {
        const totals t = sums_of(profile::site_kind::group_task);
        KASURI_TEST_EXPECT(t.seen + t.unmeasured == 2);
      });
}

/// A wait that throws has ended for the profile too: what the code does next is its work.
TEST(measured_wait, ends_when_there_is_no_memory_to_wait_with) {
  if (sanitized) GTEST_SKIP() << "the sanitizer takes the address space";
  if (test::emulated) GTEST_SKIP() << "the emulator itself needs address space";
  setenv("KASURI_MONITOR", "0", 1);  // a spare would need a stack
  in_recording_child(
      {.workers = 1},
      [] {
        sleep_for(std::chrono::microseconds(1));  // the timers have their thread
        limit_address_space();
        const auto goes_on = [](auto wait) {
          bool threw = false;
          try {
            wait();
          } catch (const std::bad_alloc&) {
            threw = true;
          }
          KASURI_TEST_EXPECT(threw);
          KASURI_TEST_EXPECT(sched::current()->measures->runs);
        };
        KASURI_TEST_EXPECT(on_the_last_stack([&] {
          KASURI_TEST_EXPECT(sched::current()->measures->runs);
          future<void> below = async([] {});
          task_group g;
          g.run([] {});
          future<void> above = async([] {});
          goes_on([&] { below.wait(); });
          goes_on([&] { static_cast<void>(below.wait_for(std::chrono::hours(1))); });
          goes_on([&] { g.wait(); });
          above.get();
          g.wait();
          below.get();
        }));
      },
      [] {});
  unsetenv("KASURI_MONITOR");
}

INSTANTIATE_TEST_SUITE_P(pools, measured,
                         testing::Combine(testing::Values(1, 2, 5),
                                          testing::Values("near", "random", "adws")),
                         [](const auto& p) {
                           return std::string(std::get<1>(p.param)) + "_" +
                                  std::to_string(std::get<0>(p.param));
                         });

}  // namespace
}  // namespace kasuri::test
