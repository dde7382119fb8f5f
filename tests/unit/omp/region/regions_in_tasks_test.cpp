// SPDX-License-Identifier: Apache-2.0
// OpenMP regions that tasks of fork-join code begin, several at one time: a task that waits in its
// region leaves its OS thread to others, which begin regions there too.
#include <gtest/gtest.h>
#include <kasuri/kasuri.h>

#include <atomic>
#include <kasuri/kasuri.hpp>
#include <thread>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

extern "C" {
void kasuri_GOMP_parallel(void (*code)(void*), void* data, unsigned threads, unsigned flags);
void kasuri_GOMP_barrier();
void kasuri_GOMP_critical_start();
void kasuri_GOMP_critical_end();
void kasuri_GOMP_task(void (*f)(void*), void* data, void (*copy)(void*, void*), long size,
                      long align, bool deferred, unsigned flags, void** depend, int priority,
                      void* detach);
void kasuri_GOMP_taskwait();
int kasuri_omp_get_ancestor_thread_num(int level);
int kasuri_omp_get_level();
int kasuri_omp_get_max_threads();
int kasuri_omp_get_num_threads();
int kasuri_omp_get_thread_num();
int kasuri_omp_in_parallel();
void kasuri___kmpc_push_num_threads(const void* at, int gtid, int n);
void kasuri___kmpc_fork_call(const void* at, int argc, void (*code)(int*, int*, ...), ...);
void kasuri_omp_set_max_active_levels(int levels);
void kasuri_omp_set_num_threads(int n);
}

namespace kasuri::omp {
namespace {

class regions_in_tasks : public test::pool_of {};

/// A region of so many members that meet in so many barriers, and what they say of themselves.
class meeting {
 public:
  explicit meeting(int members, int barriers = 2, int level = 1)
      : members_(members), barriers_(barriers), level_(level), visits_(members) {}

  /// As the calling task's region. Whether each member was there once, and knew who it was before
  /// and behind each barrier.
  [[nodiscard]] bool run() {
    kasuri_GOMP_parallel([](void* of) { static_cast<meeting*>(of)->visit(); }, this,
                         static_cast<unsigned>(members_), 0);
    return was_right();
  }
  bool was_right() const {
    for (const std::atomic<int>& v : visits_)
      if (v != 1 + barriers_) return false;
    return wrong_ == 0;
  }

  void visit() {
    const int number = kasuri_omp_get_thread_num();
    look(number);
    for (int i = 0; i != barriers_; ++i) {
      kasuri_GOMP_barrier();
      look(number);
    }
  }

 private:
  void look(int number) {
    const bool right = number >= 0 && number < members_ && number == kasuri_omp_get_thread_num() &&
                       members_ == kasuri_omp_get_num_threads() && level_ == kasuri_omp_get_level();
    if (right)
      ++visits_[static_cast<std::size_t>(number)];
    else
      ++wrong_;
  }

  int members_;
  int barriers_;
  int level_;
  std::vector<std::atomic<int>> visits_;
  std::atomic<int> wrong_{0};
};

bool meet(int members) { return meeting(members).run(); }

TEST_P(regions_in_tasks, may_begin_at_one_time) {
  const int turns = test::scaled(50);
  tasks_and_threads(3, 1, [turns](int) {
    for (int i = 0; i != turns; ++i) EXPECT_TRUE(meet(3));
  });
}

TEST_P(regions_in_tasks, have_sizes_of_their_own) {
  const int turns = test::scaled(50);
  tasks_and_threads(4, 2, [turns](int which) {
    for (int i = 0; i != turns; ++i) EXPECT_TRUE(meet(1 + (which + i) % 5));
  });
}

TEST_P(regions_in_tasks, may_be_in_a_loop) {
  std::atomic<int> right{0};
  const int n = test::scaled(100);
  run([&] { parallel_for(0, n, [&](int) { right += meet(4) ? 1 : 0; }); });
  EXPECT_EQ(right, n);
}

/// Begins regions in both halves, and one in between, while a fork is open.
int in_halves(int n) {
  if (n == 1) return meet(3) ? 1 : 0;
  int left = 0;
  int right = 0;
  bool here = false;
  parallel_invoke(
      [&] {
        left = in_halves(n / 2);
        here = meet(2);
      },
      [&] { right = in_halves(n - n / 2); });
  return left + right + (here ? 1 : 0);
}

TEST_P(regions_in_tasks, may_begin_between_fork_and_join) {
  const int leaves = test::scaled(64);
  const int all = run([&] { return in_halves(leaves); });
  EXPECT_EQ(all, 2 * leaves - 1);
}

TEST_P(regions_in_tasks, their_members_may_fork) {
  std::atomic<int> sum{0};
  tasks(3, [&](int) {
    for (int i = 0; i != test::scaled(20); ++i)
      kasuri_GOMP_parallel(
          [](void* all) {
            const int number = kasuri_omp_get_thread_num();
            std::atomic<int> mine{0};
            parallel_for(0, 10, [&](int) { ++mine; });
            kasuri_GOMP_barrier();
            EXPECT_EQ(number, kasuri_omp_get_thread_num());
            *static_cast<std::atomic<int>*>(all) += mine;
          },
          &sum, 3, 0);
  });
  EXPECT_EQ(sum, 3 * test::scaled(20) * 3 * 10);
}

/// Behind its barrier the member that is not the primary lets others go first.
void member_that_yields(void* ended) {
  kasuri_GOMP_barrier();
  if (kasuri_omp_get_thread_num() != 0)
    for (int i = 0; i != 4; ++i) this_task::yield();
  ++*static_cast<std::atomic<int>*>(ended);
}

/// As in_halves. A primary ends its region while the other member has still to go on, and looks for
/// members where the second sides lie, which may be public by then.
int in_halves_with_yields(int n, std::atomic<int>& ended) {
  if (n == 1) {
    kasuri_GOMP_parallel(member_that_yields, &ended, 2, 0);
    return 1;
  }
  int left = 0;
  int right = 0;
  parallel_invoke(
      [&] {
        left = in_halves_with_yields(n / 2, ended);
        kasuri_GOMP_parallel(member_that_yields, &ended, 2, 0);
      },
      [&] { right = in_halves_with_yields(n - n / 2, ended); });
  return left + right;
}

TEST_P(regions_in_tasks, the_second_side_stays_where_it_is) {
  const int turns = test::scaled(20);
  for (int i = 0; i != turns; ++i) {
    std::atomic<int> ended{0};
    EXPECT_EQ(run([&] { return in_halves_with_yields(64, ended); }), 64);
    EXPECT_EQ(ended, 2 * (2 * 64 - 1));
  }
}

TEST_P(regions_in_tasks, may_be_in_regions) {
  std::atomic<int> right{0};
  const int turns = test::scaled(10);
  tasks_and_threads(3, 1, [&](int) {
    for (int i = 0; i != turns; ++i)
      kasuri_GOMP_parallel(
          [](void* all) {
            const int number = kasuri_omp_get_thread_num();
            kasuri_omp_set_max_active_levels(2);
            const bool inner = meeting(2, 2, 2).run();
            kasuri_GOMP_barrier();
            if (inner && number == kasuri_omp_get_thread_num() && kasuri_omp_get_level() == 1)
              ++*static_cast<std::atomic<int>*>(all);
          },
          &right, 2, 0);
  });
  EXPECT_EQ(right, 4 * turns * 2);
}

// The tasks of a region's members run where the region's primary waits, and begin regions there.
TEST_P(regions_in_tasks, may_be_in_tasks_of_regions) {
  std::atomic<int> right{0};
  const int turns = test::scaled(10);
  tasks_and_threads(2, 1, [&](int) {
    for (int i = 0; i != turns; ++i)
      kasuri_GOMP_parallel(
          [](void* all) {
            auto& sum = *static_cast<std::atomic<int>*>(all);
            task_group group;
            for (int k = 0; k != 3; ++k)
              group.run([&sum] {
                // A member's task that another worker runs begins at level 0.
                kasuri_omp_set_max_active_levels(2);
                sum += meeting(2, 1, kasuri_omp_get_level() + 1).run() ? 1 : 0;
              });
            kasuri_GOMP_barrier();
            group.wait();
          },
          &right, 2, 0);
  });
  EXPECT_EQ(right, 3 * turns * 2 * 3);
}

/// A task of the region that creates two more, so many levels deep.
struct tree {
  std::atomic<int>* leaves;
  int depth;

  void create() const {
    kasuri_GOMP_task([](void* t) { static_cast<const tree*>(t)->grow(); }, const_cast<tree*>(this),
                     nullptr, sizeof(tree), alignof(tree), true, 0, nullptr, 0, nullptr);
  }
  void grow() const {
    if (depth == 0) {
      ++*leaves;
      return;
    }
    const tree below{leaves, depth - 1};
    below.create();
    below.create();
    kasuri_GOMP_taskwait();
  }
};

// Members that have finished are sent for, as frames.
TEST_P(regions_in_tasks, have_tasks) {
  std::atomic<int> leaves{0};
  const int turns = test::scaled(10);
  tasks_and_threads(3, 1, [&](int) {
    for (int i = 0; i != turns; ++i)
      kasuri_GOMP_parallel(
          [](void* all) {
            const tree root{static_cast<std::atomic<int>*>(all), 5};
            if (kasuri_omp_get_thread_num() == 0) root.create();
          },
          &leaves, 3, 0);
  });
  EXPECT_EQ(leaves, 4 * turns * 32);
}

TEST_P(regions_in_tasks, leave_their_task_outside) {
  const int turns = test::scaled(30);
  tasks(4, [turns](int) {
    for (int i = 0; i != turns; ++i) {
      EXPECT_EQ(kasuri_omp_get_level(), 0);
      EXPECT_EQ(kasuri_omp_in_parallel(), 0);
      EXPECT_EQ(kasuri_omp_get_thread_num(), 0);
      EXPECT_TRUE(meet(3));
      EXPECT_EQ(kasuri_omp_get_level(), 0);
      EXPECT_EQ(kasuri_omp_get_num_threads(), 1);
      EXPECT_EQ(kasuri_omp_get_ancestor_thread_num(0), 0);
    }
  });
}

TEST_P(regions_in_tasks, may_wait_for_one_lock) {
  int count = 0;
  const int turns = test::scaled(30);
  tasks_and_threads(3, 1, [&](int) {
    for (int i = 0; i != turns; ++i) {
      kasuri_GOMP_parallel(
          [](void* n) {
            kasuri_GOMP_critical_start();
            ++*static_cast<int*>(n);
            kasuri_GOMP_critical_end();
          },
          &count, 3, 0);
      kasuri_GOMP_critical_start();
      ++count;
      kasuri_GOMP_critical_end();
    }
  });
  EXPECT_EQ(count, 4 * turns * (3 + 1));
}

// The thread is a guest of the pool while it waits for the group. It may run a task up to where
// that waits in its region, and end; the region goes on on others.
TEST_P(regions_in_tasks, outlive_the_thread_that_has_begun_them) {
  const int turns = test::scaled(20);
  std::atomic<int> right{0};
  task_group group;
  for (int i = 0; i != turns; ++i)
    std::thread([&] {
      run([&] {
        group.run([&] {
          for (int k = 0; k != 3; ++k) right += meet(4) ? 1 : 0;
        });
        EXPECT_TRUE(meet(2));
      });
    }).join();
  group.wait();
  EXPECT_EQ(right, 3 * turns);
}

TEST_P(regions_in_tasks, may_begin_while_the_initial_thread_is_in_a_region) {
  struct both {
    std::atomic<int> right{0};
    task_group group;
  } x;
  run([&] {
    for (int i = 0; i != 3; ++i)
      x.group.run([&x] {
        for (int k = 0; k != test::scaled(20); ++k) x.right += meet(3) ? 1 : 0;
      });
  });
  for (int k = 0; k != test::scaled(20); ++k) EXPECT_TRUE(meet(4));
  x.group.wait();
  EXPECT_EQ(x.right, 3 * test::scaled(20));
}

void visit(const int* /*gtid*/, const int* /*btid*/, meeting* m) { m->visit(); }

// What is said of the next region holds for it, though others give roots back meanwhile.
TEST_P(regions_in_tasks, have_the_size_that_was_set_before) {
  std::atomic<int> right{0};
  const int turns = test::scaled(50);
  tasks(4, [&](int which) {
    for (int i = 0; i != turns; ++i) {
      const int n = 2 + (which + i) % 3;
      meeting m(n);
      kasuri___kmpc_push_num_threads(nullptr, 0, n);
      kasuri___kmpc_fork_call(nullptr, 1, reinterpret_cast<void (*)(int*, int*, ...)>(visit), &m);
      right += m.was_right() ? 1 : 0;
    }
  });
  EXPECT_EQ(right, 4 * turns);
}

// Tasks that a member starts outside the pool are in no region, for they may outlive the call.
TEST_P(regions_in_tasks, of_one_are_not_those_of_tasks_in_them) {
  kasuri_GOMP_parallel(
      [](void*) {
        kasuri_omp_set_num_threads(7);
        regions_in_tasks::tasks(3, [](int) { EXPECT_TRUE(meet(2)); });
        EXPECT_EQ(kasuri_omp_get_max_threads(), 7);
        EXPECT_EQ(kasuri_omp_get_level(), 1);
      },
      nullptr, 1, 0);
}

INSTANTIATE_TEST_SUITE_P(workers, regions_in_tasks, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri::omp
