// SPDX-License-Identifier: Apache-2.0
// What a task that owns several workers hands out under almost deterministic work stealing: the
// forks end with the tasks that made them, and a frame that a thief has is left to it.
#include "sched/policy/routing.hpp"

#include <gtest/gtest.h>
#include <kasuri/kasuri.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <kasuri/kasuri.hpp>
#include <new>

#include "kasuri/detail/join.hpp"
#include "platform/memory/memory.hpp"
#include "sched/pool/pool.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::test {
namespace {

class routing : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { initialize({.workers = GetParam(), .scheduling = "adws"}); }
  void TearDown() override { finalize(); }

  /// How many workers still take part in a fork that nobody joins any more. The pool ends before,
  /// but for what it keeps of its workers.
  static int left_in_forks() {
    sched::pool& p = sched::pool::get();
    finalize();
    int left = 0;
    for (int i = 0; i != p.workers(); ++i) {
      const sched::span_fork* const fork = p.at(i)->fork;
      left += fork != nullptr && !fork->joined.load(std::memory_order_relaxed) ? 1 : 0;
    }
    return left;
  }
};

constexpr int enough = 20;  // children, so that some are sent to each worker

void* note(void* ended) {
  kasuri_yield();
  ++*static_cast<std::atomic<int>*>(ended);
  return nullptr;
}

void make_threads(std::atomic<int>& ended) {
  std::array<kasuri_thread_t, enough> threads{};
  for (kasuri_thread_t& t : threads)
    EXPECT_EQ(kasuri_thread_create(&t, note, &ended, KASURI_PARENT_FIRST), KASURI_SUCCESS);
  for (kasuri_thread_t t : threads) EXPECT_EQ(kasuri_thread_join(t, nullptr), KASURI_SUCCESS);
}

TEST_P(routing, threads_of_a_root_leave_no_fork) {
  std::atomic<int> ended{0};
  run([&ended] { make_threads(ended); });
  EXPECT_EQ(ended, enough);
  EXPECT_EQ(left_in_forks(), 0);
}

TEST_P(routing, threads_of_both_sides_of_a_fork_leave_none) {
  std::atomic<int> ended{0};
  run([&ended] {
    parallel_invoke([&ended] { make_threads(ended); }, [&ended] { make_threads(ended); });
    // The second side begins where its parent runs.
    parallel_invoke(share(0, [&ended] { make_threads(ended); }),
                    share(1, [&ended] { make_threads(ended); }));
  });
  EXPECT_EQ(ended, 4 * enough);
  EXPECT_EQ(left_in_forks(), 0);
}

TEST_P(routing, threads_that_go_on_behind_their_creator_leave_none) {
  std::atomic<int> ended{0};
  run([&ended] {
    parallel_invoke([] {},
                    [&ended] {
                      for (int i = 0; i != enough; ++i) {
                        kasuri_thread_t t;
                        EXPECT_EQ(kasuri_thread_create(&t, note, &ended, KASURI_PARENT_FIRST),
                                  KASURI_SUCCESS);
                        EXPECT_EQ(kasuri_thread_detach(t), KASURI_SUCCESS);
                      }
                    });
    while (ended != enough) this_task::yield();
  });
  EXPECT_EQ(left_in_forks(), 0);
}

TEST_P(routing, tasks_of_a_group_around_their_creator_leave_none) {
  std::atomic<int> ended{0};
  run([&ended] {
    task_group group;
    parallel_invoke([] {},
                    [&] {
                      for (int i = 0; i != enough; ++i) group.run([&ended] { ++ended; });
                    });
    group.wait();
  });
  EXPECT_EQ(ended, enough);
  EXPECT_EQ(left_in_forks(), 0);
}

std::atomic<bool> has_run;

detail::suspended* run_inert(detail::frame*) {
  has_run = true;
  return nullptr;
}

constexpr detail::frame_type inert{
    run_inert, false, "inert", [](detail::frame*) {},
    [](detail::frame*, bool) -> detail::suspended* { return nullptr; }};

/// The calling thread, or a worker that looks for work, takes what lies in the deque of `w`.
void take_as_thief(sched::worker& w) {
  for (detail::frame* taken = nullptr; taken == nullptr && !has_run;) {
    w.queue.rescue();
    static_cast<void>(w.queue.steal(taken));
  }
}

// A thief may have run and freed what was just pushed: its pusher must not look at it.
TEST_P(routing, a_pushed_task_that_a_thief_has_is_not_looked_at) {
  const std::size_t page = platform::page_size();
  void* const memory =
      ::mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* const f = new (memory) detail::frame;
  f->type = &inert;
  f->in = nullptr;
  has_run = false;
  run([&] {
    sched::worker& w = *sched::current();
    detail::worker_slot* at = nullptr;
    EXPECT_TRUE(w.face.push(f, at, detail::slot_detached));  // its task owns several workers
    take_as_thief(w);
    EXPECT_EQ(::mprotect(memory, page, PROT_NONE), 0);
    detail::push_slow(&w.face, at, f);
  });
  EXPECT_EQ(::munmap(memory, page), 0);
}

INSTANTIATE_TEST_SUITE_P(workers, routing, testing::Values(2, 3, 8),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace kasuri::test
