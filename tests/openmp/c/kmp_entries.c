// SPDX-License-Identifier: Apache-2.0
// Entries of libomp that Clang 19 has no pragma for: lists of numbers of threads, loops in whole
// vectors, tasks without code, atomic updates by calls.
// test: compilers=clang-19 nested=no
#include "support/check.h"

#include <stdint.h>

enum { static_balanced_chunked = 45, guided_simd = 46, runtime_simd = 47 };

extern int __kmpc_global_thread_num(void* at);
extern void __kmpc_push_num_threads_list(void* at, int thread, unsigned length, const int* list);
extern void __kmpc_dispatch_init_4(void* at, int thread, int kind, int first, int last, int step,
                                   int chunk);
extern int __kmpc_dispatch_next_4(void* at, int thread, int* is_last, int* first, int* last,
                                  int* step);
extern bool __kmpc_atomic_bool_4_cas(void* at, int thread, int32_t* x, int32_t e, int32_t d);
extern int16_t __kmpc_atomic_val_2_cas_cpt(void* at, int thread, int16_t* x, int16_t e, int16_t d,
                                           int16_t* after);
extern bool __kmpc_atomic_bool_8_cas_cpt(void* at, int thread, int64_t* x, int64_t e, int64_t d,
                                         int64_t* seen);
extern void __kmpc_atomic_fixed4_add(void* at, int thread, int32_t* x, int32_t y);
extern void __kmpc_atomic_float8_add(void* at, int thread, double* x, double y);
extern void* __kmpc_omp_task_alloc(void* at, int thread, int flags, size_t bytes, size_t shared,
                                   void* code);
extern int __kmpc_omp_task(void* at, int thread, void* task);

static struct {
  int reserved_1, flags, reserved_2, reserved_3;
  const char* text;
} here = {0, 2, 0, 0, ";file;function;1;1;;"};

// Members at two levels below a region whose numbers of threads are a list.
static void threads_list(int first, int second, int third) {
  const int list[] = {first, second, third};
  int outer = 0, middle = 0, inner = 0, innermost = 0;
  __kmpc_push_num_threads_list(&here, __kmpc_global_thread_num(&here), 3, list);
#pragma omp parallel reduction(+ : outer, middle, inner, innermost)
  {
    outer++;
#pragma omp parallel reduction(+ : middle, inner, innermost)
    {
      middle++;
      CHECK_EQ(omp_get_max_threads(), third);
#pragma omp parallel reduction(+ : inner, innermost)
      {
        inner++;
#pragma omp parallel reduction(+ : innermost)
        innermost++;
      }
    }
  }
  CHECK_EQ(outer, first);
  CHECK_EQ(middle, first * second);
  CHECK_EQ(inner, first * second * third);
  CHECK_EQ(innermost, first * second * third * third);
  CHECK_EQ(omp_get_max_threads(), team_size());
#pragma omp parallel
  CHECK_EQ(omp_get_num_threads(), atoi(getenv("OMP_NUM_THREADS")));
}

// Each chunk but the last is a multiple of `chunk`; nothing is left out.
static void whole_vectors(int kind, int iterations, int chunk) {
  int done[1000] = {0};
#pragma omp parallel
  {
    int me = __kmpc_global_thread_num(&here), is_last = 0, first, last, step;
    __kmpc_dispatch_init_4(&here, me, kind, 0, iterations - 1, 1, chunk);
    while (__kmpc_dispatch_next_4(&here, me, &is_last, &first, &last, &step)) {
      CHECK_EQ(step, 1);
      CHECK_EQ(is_last, last == iterations - 1);
      if (!is_last && omp_get_num_threads() > 1) {
        CHECK_EQ((last - first + 1) % chunk, 0);
      }
      for (int i = first; i <= last; i++) {
        atomic_add(&done[i], 1);
      }
    }
  }
  for (int i = 0; i < iterations; i++) {
    CHECK_EQ(done[i], 1);
  }
}

static void loops(void) {
  for (int iterations = 1; iterations < 1000; iterations = iterations * 2 + 3) {
    whole_vectors(static_balanced_chunked, iterations, 4);
    whole_vectors(guided_simd, iterations, 8);
    for (int kind = omp_sched_static; kind <= omp_sched_auto; kind++) {
      omp_set_schedule((omp_sched_t)kind, 0);
      whole_vectors(runtime_simd, iterations, 4);
      omp_set_schedule((omp_sched_t)kind, 2);
      whole_vectors(runtime_simd, iterations, 4);
    }
  }
}

static void atomics(void) {
  int32_t x = 5, total = 0, swaps = 0;
  int64_t y = 5, seen = 0;
  int16_t z = 7, after = 0;
  double sum = 0;
  CHECK(!__kmpc_atomic_bool_4_cas(&here, 0, &x, 4, 9) && x == 5);
  CHECK(__kmpc_atomic_bool_4_cas(&here, 0, &x, 5, 0) && x == 0);
  CHECK(!__kmpc_atomic_bool_8_cas_cpt(&here, 0, &y, 4, 9, &seen) && y == 5 && seen == 5);
  CHECK(__kmpc_atomic_val_2_cas_cpt(&here, 0, &z, 7, 8, &after) == 7 && z == 8 && after == 8);
  CHECK(__kmpc_atomic_val_2_cas_cpt(&here, 0, &z, 7, 9, &after) == 8 && z == 8 && after == 8);
#pragma omp parallel reduction(+ : swaps)
  for (int i = 0; i < 500; i++) {
    __kmpc_atomic_fixed4_add(&here, 0, &total, 2);
    __kmpc_atomic_float8_add(&here, 0, &sum, 0.5);
    int32_t old = x;
    if (__kmpc_atomic_bool_4_cas(&here, 0, &x, old, old + 1)) {
      swaps++;
    }
  }
  CHECK_EQ(total, 1000 * team_size());
  CHECK_EQ(sum, 250 * team_size());
  CHECK_EQ(x, swaps);
}

static void tasks_without_code(void) {
  int done = 0;
#pragma omp parallel
#pragma omp single
  {
    int me = __kmpc_global_thread_num(&here);
    for (int i = 0; i < 10; i++) {
      __kmpc_omp_task(&here, me, __kmpc_omp_task_alloc(&here, me, 1, 40, 0, NULL));
#pragma omp task
      atomic_add(&done, 1);
    }
#pragma omp taskwait
    CHECK_EQ(done, 10);
  }
}

static void test(void) {
  omp_set_max_active_levels(4);
  threads_list(2, 3, 2);
  threads_list(4, 1, 2);
  loops();
  atomics();
  tasks_without_code();
}
