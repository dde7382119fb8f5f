// SPDX-License-Identifier: Apache-2.0
// OpenMP regions that are begun inside of an arena: the primary is the task that begins the region
// and stays in the arena; the other members belong to none.
#include <gtest/gtest.h>
#include <kasuri/kasuri.h>

#include <atomic>
#include <kasuri/arena.hpp>
#include <kasuri/kasuri.hpp>

#include "support/crowd.hpp"
#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

extern "C" {
void kasuri_GOMP_parallel(void (*code)(void*), void* data, unsigned threads, unsigned flags);
void kasuri_GOMP_barrier();
}

namespace kasuri::omp {
namespace {

class regions_in_arenas : public test::pool_of {};

/// Begins a region of so many members, which meet twice. Returns how many there were.
int meet_in_arena(unsigned members) {
  std::atomic<int> arrived{0};
  kasuri_GOMP_parallel(
      [](void* n) {
        ++*static_cast<std::atomic<int>*>(n);
        kasuri_GOMP_barrier();
        kasuri_GOMP_barrier();
      },
      &arrived, members, 0);
  return arrived;
}

// All members of a region must run to meet, so an arena that counted them would not let a region
// end that has more than its bound.
TEST_P(regions_in_arenas, have_all_their_members_whatever_the_bound) {
  for (const int bound : {1, 2}) {
    arena a(bound);
    for (int i = 0; i != test::scaled(50); ++i)
      EXPECT_EQ(a.execute([] { return meet_in_arena(4); }), 4);
  }
}

TEST_P(regions_in_arenas, leave_their_primary_inside) {
  arena a(1);
  test::crowd seen;
  const int turns = test::scaled(50);
  tasks_and_threads(3, 1, [&](int) {
    for (int k = 0; k != turns; ++k)
      a.execute([&] {
        EXPECT_EQ(meet_in_arena(3), 3);
        seen.visit();  // behind the region, one at a time still
      });
  });
  EXPECT_EQ(seen.visits(), 4 * turns);
  EXPECT_EQ(seen.most(), 1);
}

TEST_P(regions_in_arenas, may_begin_in_tasks_of_the_arena) {
  std::atomic<int> members{0};
  {
    arena a(2);
    for (int i = 0; i != 20; ++i) a.enqueue([&] { members += meet_in_arena(2); });
  }
  EXPECT_EQ(members, 40);
}

TEST_P(regions_in_arenas, their_members_may_enter_the_arena) {
  struct both {
    arena a{1};
    test::crowd seen;
  } x;
  kasuri_GOMP_parallel(
      [](void* arg) {
        auto& all = *static_cast<both*>(arg);
        for (int k = 0; k != 20; ++k) all.a.execute([&all] { all.seen.visit(); });
      },
      &x, 4, 0);
  EXPECT_EQ(x.seen.visits(), 80);
  EXPECT_EQ(x.seen.most(), 1);
}

INSTANTIATE_TEST_SUITE_P(workers, regions_in_arenas, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri::omp
