// SPDX-License-Identifier: Apache-2.0
// Exceptions thrown and caught inside regions, loops, critical regions and tasks, by many at once,
// and kept across scheduling points.
#include "support/check.h"

#include <exception>
#include <stdexcept>
#include <string>

namespace {

struct failure {
  int number;
};

[[gnu::noinline]] void fail(int number) { throw failure{number}; }

[[gnu::noinline]] int depth(int levels, int number) {
  std::string guard = "unwound " + std::to_string(levels);
  if (levels == 0) {
    fail(number);
  }
  return depth(levels - 1, number) + static_cast<int>(guard.size());
}

void in_regions() {
  int caught = 0;
#pragma omp parallel reduction(+ : caught)
  for (int i = 0; i < 50; i++) {
    try {
      depth(10, omp_get_thread_num() * 100 + i);
    } catch (const failure& it) {
      CHECK_EQ(it.number, omp_get_thread_num() * 100 + i);
      caught++;
    }
  }
  CHECK_EQ(caught, 50 * team_size());
}

void in_worksharing() {
  int caught = 0, sections = 0, singles = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic) reduction(+ : caught)
    for (int i = 0; i < 100; i++) {
      try {
        if (i % 3 == 0) {
          throw std::runtime_error(std::to_string(i));
        }
      } catch (const std::exception& it) {
        CHECK_EQ(std::stoi(it.what()), i);
        caught++;
      }
    }
#pragma omp single
    try {
      fail(3);
    } catch (failure&) {
      singles++;
    }
#pragma omp sections
    {
#pragma omp section
      try {
        fail(4);
      } catch (failure&) {
        sections++;
      }
    }
  }
  CHECK_EQ(caught, 34);
  CHECK_EQ(singles, 1);
  CHECK_EQ(sections, 1);
}

void in_critical_and_tasks() {
  int caught = 0, in_tasks = 0;
#pragma omp parallel
  {
#pragma omp critical(exceptions)
    try {
      fail(1);
    } catch (failure&) {
      caught++;
    }
    for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
      try {
        depth(i % 5, i);
      } catch (failure& it) {
        CHECK_EQ(it.number, i);
#pragma omp atomic
        in_tasks++;
      }
    }
  }
  CHECK_EQ(caught, team_size());
  CHECK_EQ(in_tasks, 20 * team_size());
}

// In a handler while others run on the same core: the current exception is the member's own.
void across_scheduling_points() {
  int right = 0;
#pragma omp parallel num_threads(4) reduction(+ : right)
  {
    int me = omp_get_thread_num();
    try {
      fail(me);
    } catch (failure& outer) {
#pragma omp barrier
      try {
        fail(me + 10);
      } catch (failure& inner) {
#pragma omp barrier
        CHECK_EQ(inner.number, me + 10);
        right++;
      }
#pragma omp task
      try {
        fail(99);
      } catch (failure&) {
#pragma omp taskyield
      }
#pragma omp taskwait
#pragma omp barrier
      CHECK_EQ(outer.number, me);
      try {
        throw;
      } catch (failure& again) {
        CHECK_EQ(again.number, me);
        right++;
      }
    }
    CHECK(std::current_exception() == nullptr);
    CHECK_EQ(std::uncaught_exceptions(), 0);
  }
  CHECK_EQ(right, 8);
}

// The usual way out of a region: keep the first one, throw it again outside.
void carried_outside() {
  std::exception_ptr first;
#pragma omp parallel for shared(first)
  for (int i = 0; i < 40; i++) {
    try {
      if (i >= 20) {
        fail(i);
      }
    } catch (...) {
#pragma omp critical(carried)
      if (!first) {
        first = std::current_exception();
      }
    }
  }
  int number = -1;
  try {
    if (first) {
      std::rethrow_exception(first);
    }
  } catch (failure& it) {
    number = it.number;
  }
  CHECK(number >= 20 && number < 40);
}

void through_nested_regions() {
  int caught = 0;
  omp_set_max_active_levels(base_level() + 2);
#pragma omp parallel num_threads(2) reduction(+ : caught)
  try {
#pragma omp parallel num_threads(3) reduction(+ : caught)
    try {
      fail(omp_get_thread_num());
    } catch (failure&) {
      caught++;
    }
    fail(7);
  } catch (failure& it) {
    CHECK_EQ(it.number, 7);
    caught++;
  }
  CHECK_EQ(caught, 8);
}

}  // namespace

static void test() {
  in_regions();
  in_worksharing();
  in_critical_and_tasks();
  across_scheduling_points();
  carried_outside();
  through_nested_regions();
}
