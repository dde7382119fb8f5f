// SPDX-License-Identifier: Apache-2.0
#ifndef RACE_H
#define RACE_H

// Lets threads come one after the other, without an order that a race detector sees.

#include <omp.h>

/// Alone in its cache line: ThreadSanitizer keeps the last four accesses to each eight bytes, and
/// threads that wait for their turn push out what the program did to a variable beside it.
static struct {
  _Alignas(64) int n;
} turn;

static inline void set_turn(int n) { __atomic_store_n(&turn.n, n, __ATOMIC_RELAXED); }

static inline void wait_for_turn(int n) {
  while (__atomic_load_n(&turn.n, __ATOMIC_RELAXED) < n) {
  }
}

/// Where nobody is bound to set it: whether that happens soon.
static inline int turn_comes(int n) {
  const double end = omp_get_wtime() + 0.02;
  while (omp_get_wtime() < end)
    if (__atomic_load_n(&turn.n, __ATOMIC_RELAXED) == n) return 1;
  return 0;
}

/// How often to try it then.
enum { rounds = 300 };

#endif
