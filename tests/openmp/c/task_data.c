// SPDX-License-Identifier: Apache-2.0
// What tasks capture: firstprivate of all sizes and alignments, arrays, implicit sharing, shared.
#include "support/check.h"

#include <stdint.h>

// A macro, as C has no templates: the bytes of a firstprivate structure of this size are kept.
#define OF_SIZE(size)                                                                   \
  static void capture_##size(void) {                                                    \
    struct {                                                                            \
      unsigned char bytes[size];                                                        \
    } value;                                                                            \
    _Pragma("omp parallel num_threads(3) private(value)") for (int i = 0; i < 6; i++) { \
      memset(value.bytes, i + 1, size);                                                 \
      _Pragma("omp task firstprivate(value, i)") {                                      \
        for (int at = 0; at < size; at += 1 + size / 7) {                               \
          CHECK_EQ(value.bytes[at], i + 1);                                             \
        }                                                                               \
        CHECK_EQ(value.bytes[size - 1], i + 1);                                         \
        value.bytes[0] = 0;                                                             \
      }                                                                                 \
    }                                                                                   \
  }

OF_SIZE(1)
OF_SIZE(3)
OF_SIZE(7)
OF_SIZE(8)
OF_SIZE(17)
OF_SIZE(64)
OF_SIZE(100)
OF_SIZE(129)
OF_SIZE(513)
OF_SIZE(1024)
OF_SIZE(4097)
OF_SIZE(70001)

struct aligned {
  _Alignas(64) double values[9];
};

struct wide {
  _Alignas(256) int value;
};

static void aligned_captures(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 10; i++) {
    struct aligned a;
    struct wide w;
    __int128 whole = (__int128)i << 70;
    long double extended = i + 0.5L;
    a.values[8] = i;
    w.value = i;
#pragma omp task firstprivate(a, w, whole, extended, i)
    {
      CHECK_EQ((uintptr_t)&whole % _Alignof(__int128), 0);
      CHECK_EQ((uintptr_t)&extended % _Alignof(long double), 0);
      CHECK(a.values[8] == i && w.value == i);
      CHECK(whole == (__int128)i << 70);
      CHECK(extended == i + 0.5L);
    }
  }
}

#ifndef __clang__  // Clang 19 gives a task's data the alignment of malloc
static void overaligned_captures(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 10; i++) {
    struct aligned a = {{i}};
    struct wide w = {i};
#pragma omp task firstprivate(a, w)
    {
      CHECK_EQ((uintptr_t)&a % 64, 0);
      CHECK_EQ((uintptr_t)&w % 256, 0);
      CHECK(a.values[0] == w.value);
    }
  }
}
#else
static void overaligned_captures(void) {}
#endif

static void arrays(int length) {
#ifdef __clang__  // Clang 19 takes no array of variable length here
  enum { length_here = 33 };
#else
  int length_here = length;
#endif
  int fixed[20], variable[length_here];
  long sum = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 10; round++) {
    for (int i = 0; i < 20; i++) {
      fixed[i] = round * i;
    }
    for (int i = 0; i < length; i++) {
      variable[i] = round + i;
    }
#pragma omp task firstprivate(fixed, variable) shared(sum)
    {
      int mine = 0;
      for (int i = 0; i < 20; i++) {
        mine += fixed[i];
      }
      for (int i = 0; i < length; i++) {
        mine += variable[i];
      }
#pragma omp atomic
      sum += mine;
    }
  }
  CHECK_EQ(sum, 45 * 190 + 45 * length + 10 * (length * (length - 1) / 2));
}

// Variables of an enclosing task are firstprivate by default, those of the region shared.
static void implicit_sharing(void) {
  int region = 1, total = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      int own = 5;
#pragma omp atomic
      region++;
#pragma omp task
      {
        own = 100;
#pragma omp atomic
        region += own;
      }
#pragma omp taskwait
      CHECK_EQ(own, 5);
    }
#pragma omp taskwait
    CHECK_EQ(region, 102);
    for (int i = 0; i < 50; i++) {
#pragma omp task default(none) shared(total) firstprivate(i)
      {
#pragma omp atomic
        total += i;
      }
    }
  }
  CHECK_EQ(total, 1225);
}

struct node {
  struct node *left, *right;
  int value;
};

static int sum_nodes(const struct node* node) {
  int left = 0, right = 0;
  if (node->left) {
#pragma omp task shared(left)
    left = sum_nodes(node->left);
  }
  if (node->right) {
#pragma omp task shared(right)
    right = sum_nodes(node->right);
  }
#pragma omp taskwait
  return left + right + node->value;
}

static void trees_and_lists(void) {
  enum { count = 500 };
  struct node nodes[count];
  for (int i = 0; i < count; i++) {
    nodes[i].left = 2 * i + 1 < count ? &nodes[2 * i + 1] : NULL;
    nodes[i].right = 2 * i + 2 < count ? &nodes[2 * i + 2] : NULL;
    nodes[i].value = i;
  }
  int sum = 0;
#pragma omp parallel
#pragma omp single
  sum = sum_nodes(nodes);
  CHECK_EQ(sum, count * (count - 1) / 2);
#pragma omp parallel
#pragma omp single
  for (struct node* at = nodes; at != NULL; at = at->left) {
#pragma omp task firstprivate(at)
    at->value += 1000;
  }
  CHECK_EQ(nodes[0].value, 1000);
  CHECK_EQ(nodes[1].value, 1001);
  CHECK_EQ(nodes[2].value, 2);
}

static void private_copies(void) {
  int scratch = 3, bad = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 40; i++) {
#pragma omp task private(scratch) shared(bad) firstprivate(i)
    {
      scratch = i;
#pragma omp taskyield
      if (scratch != i) {
#pragma omp atomic
        bad++;
      }
    }
  }
  CHECK_EQ(bad, 0);
  CHECK_EQ(scratch, 3);
}

static void test(void) {
  capture_1(), capture_3(), capture_7(), capture_8(), capture_17(), capture_64(), capture_100();
  capture_129(), capture_513(), capture_1024(), capture_4097(), capture_70001();
  aligned_captures();
  overaligned_captures();
  arrays(33);
  implicit_sharing();
  trees_and_lists();
  private_copies();
}
