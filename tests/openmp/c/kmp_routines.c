// SPDX-License-Identifier: Apache-2.0
// The kmp_* calls of libomp's omp.h.
// test: compilers=clang-19
#include "support/check.h"

#include <stdint.h>

static void memory(void) {
  char *a = (char*)kmp_malloc(100), *b = (char*)kmp_calloc(10, 10);
  CHECK(a != NULL && b != NULL);
  memset(a, 3, 100);
  for (int i = 0; i < 100; i++) {
    CHECK_EQ(b[i], 0);
  }
  a = (char*)kmp_realloc(a, 10000);
  CHECK_EQ(a[99], 3);
  kmp_free(a);
  kmp_free(b);
  void* aligned = kmp_aligned_malloc(100, 128);
  CHECK_EQ((uintptr_t)aligned % 128, 0);
  kmp_free(aligned);
}

// Memory of one member freed by another one.
static void memory_across_members(void) {
  void* blocks[64] = {NULL};
#pragma omp parallel
  {
    int me = omp_get_thread_num(), size = omp_get_num_threads();
    blocks[me] = kmp_malloc(1000);
#pragma omp barrier
    kmp_free(blocks[(me + 1) % size]);
  }
}

static void settings(void) {
  kmp_set_blocktime(7);
  CHECK_EQ(kmp_get_blocktime(), 7);
  kmp_set_blocktime(200);
  CHECK(kmp_get_stacksize_s() >= 65536);
  CHECK(kmp_get_library() >= 1);
  kmp_set_warnings_off();
  kmp_set_warnings_on();
  CHECK_EQ(omp_control_tool(omp_control_tool_start, 0, NULL), omp_control_tool_notool);
}

static void test(void) {
  memory();
  memory_across_members();
  settings();
}
