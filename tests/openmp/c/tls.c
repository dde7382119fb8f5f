// SPDX-License-Identifier: Apache-2.0
// Thread-local storage. Six ways in which a runtime that runs several members on one thread, or
// moves them, goes wrong: two members share a copy; a copy is lost between two regions of one size;
// the initial thread loses its own; errno changes across a barrier; two members of inner regions
// share a copy; a copy is lost across a taskwait. With 2 and 8 members besides OMP_NUM_THREADS.
#include "support/check.h"

#include <errno.h>

static _Thread_local long local = 17;
static int global;
#pragma omp threadprivate(global)

enum { most = 8 };

// noinline: the address must be computed anew after what may switch threads.
static __attribute__((noinline)) long* address(void) { return &local; }
static __attribute__((noinline)) int* global_address(void) { return &global; }

static void distinct(void** addresses, int count) {
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < i; j++) {
      CHECK(addresses[i] != addresses[j]);
    }
  }
}

static void alias_inside_a_region(int size) {
  void *locals[most], *globals[most];
#pragma omp parallel num_threads(size)
  {
    int me = omp_get_thread_num();
    locals[me] = address();
    globals[me] = global_address();
    local = 100 + me;
    global = 200 + me;
#pragma omp barrier
    CHECK_EQ(local, 100 + me);
    CHECK_EQ(global, 200 + me);
    CHECK(address() == locals[me]);
    for (int i = 0; i < 20; i++) {
      (*address())++;
      (*global_address())++;
#pragma omp barrier
    }
    CHECK_EQ(local, 120 + me);
    CHECK_EQ(global, 220 + me);
  }
  distinct(locals, size);
  distinct(globals, size);
}

static void kept_between_regions(int size) {
  if (is_nested()) {
    return;  // promised for regions outside of others alone
  }
#pragma omp parallel num_threads(size)
  global = 300 + omp_get_thread_num();
  for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(size)
    {
      CHECK_EQ(*global_address(), 300 + omp_get_thread_num() + round);
      global++;
    }
  }
}

static void kept_by_the_encountering_thread(int size) {
  local = 7;
  global = 8;
  long* mine = address();
  for (int round = 0; round < 10; round++) {
#pragma omp parallel num_threads(size)
    {
#pragma omp barrier
      if (omp_get_thread_num() != 0) {
        local = 9;
        global = 10;
      }
      CHECK(omp_get_thread_num() != 0 || address() == mine);
    }
    CHECK(address() == mine);
    CHECK_EQ(local, 7);
    CHECK_EQ(global, 8);
  }
}

static void errno_across_constructs(int size) {
#pragma omp parallel num_threads(size)
  {
    int me = omp_get_thread_num();
    for (int i = 0; i < 20; i++) {
      errno = 1000 + me;
#pragma omp barrier
      CHECK_EQ(errno, 1000 + me);
#pragma omp critical
      {
        CHECK_EQ(errno, 1000 + me);
      }
#pragma omp single
      {
      }
      CHECK_EQ(errno, 1000 + me);
    }
  }
}

static void alias_in_nested_regions(int size) {
  void* locals[2 * most];
  omp_set_max_active_levels(base_level() + 2);
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(size)
    {
      int me = outer * size + omp_get_thread_num();
      locals[me] = address();
      local = 400 + me;
      global = 500 + me;
      for (int i = 0; i < 5; i++) {
#pragma omp barrier
        CHECK_EQ(*address(), 400 + me);
        CHECK_EQ(*global_address(), 500 + me);
      }
#pragma omp single
      {
      }
    }
#pragma omp barrier
  }
  // The inner regions end at different times: a thread may serve one after the other.
  distinct(locals, size);
  distinct(locals + size, size);
}

static void kept_across_taskwait(int size) {
#pragma omp parallel num_threads(size)
  {
    int me = omp_get_thread_num();
    local = 600 + me;
    global = 700 + me;
    errno = 800 + me;
    for (int i = 0; i < 10; i++) {
#pragma omp task
      {
        int sum = 0;
        for (int k = 0; k < 1000; k++) {
          sum += k;
        }
#pragma omp task firstprivate(sum)
        CHECK_EQ(sum, 499500);
      }
#pragma omp taskwait
      CHECK_EQ(*address(), 600 + me);
      CHECK_EQ(*global_address(), 700 + me);
#pragma omp taskyield
      CHECK_EQ(local, 600 + me);
#pragma omp taskgroup
      {
#pragma omp task
        {
        }
      }
      CHECK_EQ(global, 700 + me);
    }
    CHECK_EQ(errno, 800 + me);
  }
}

// A tied task finds what it wrote, although others ran on its thread or it was suspended.
static void tasks_own_thread(int size) {
#pragma omp parallel num_threads(size)
#pragma omp single
  for (int i = 0; i < 50; i++) {
#pragma omp task
    {
      long* before = address();
      errno = i + 1;
#pragma omp taskyield
      CHECK(address() == before);
#pragma omp task
      {
      }
#pragma omp taskwait
      CHECK(address() == before);
    }
  }
}

static void test(void) {
  const int sizes[] = {2, most, omp_get_max_threads() < most ? omp_get_max_threads() : most};
  for (int at = 0; at < 3; at++) {
    alias_inside_a_region(sizes[at]);
    kept_between_regions(sizes[at]);
    kept_by_the_encountering_thread(sizes[at]);
    errno_across_constructs(sizes[at]);
    alias_in_nested_regions(sizes[at]);
    kept_across_taskwait(sizes[at]);
    tasks_own_thread(sizes[at]);
  }
}
