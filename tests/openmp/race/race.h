// SPDX-License-Identifier: Apache-2.0
#ifndef RACE_H
#define RACE_H

// Lets threads come one after the other, without an order that a race detector sees.

#include <omp.h>

static int turn;

static inline void set_turn(int n) { __atomic_store_n(&turn, n, __ATOMIC_RELAXED); }

static inline void wait_for_turn(int n) {
  while (__atomic_load_n(&turn, __ATOMIC_RELAXED) < n) {
  }
}

/// Where nobody is bound to set it: whether that happens soon.
static inline int turn_comes(int n) {
  const double end = omp_get_wtime() + 0.02;
  while (omp_get_wtime() < end)
    if (__atomic_load_n(&turn, __ATOMIC_RELAXED) == n) return 1;
  return 0;
}

/// How often to try it then.
enum { rounds = 300 };

#endif
