// SPDX-License-Identifier: Apache-2.0
// What the programs of this folder have in common. Each is called `PROGRAM planted|repaired
// [PERCENT]`: with its bottleneck or without, and with so much of its usual work. It prints a
// checksum that both have.
//
// Work is counted, not timed: what else the machine does changes when a program ends, not what it
// does.
#pragma once

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Steps that take a microsecond on a processor of 2026.
#define SPINS_PER_US 600

/// Steps a generator of random numbers. The shift keeps compilers from making several steps one. A
/// macro: the work is that of the line which says it.
#define SPIN(x, steps)                                       \
  for (long spin_left = (steps); spin_left > 0; --spin_left) \
  (x) = ((x) ^ ((x) >> 29)) * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407)
#define SPIN_US(x, us) SPIN(x, (us) * (long)SPINS_PER_US)

struct program {
  bool repaired;
  long percent;
};

/// Reads the arguments; ends the program with a line where they are wrong.
static inline struct program read_arguments(int argc, char** argv) {
  struct program p = {false, 100};
  const char* which = argc > 1 ? argv[1] : "";
  if (strcmp(which, "planted") != 0 && strcmp(which, "repaired") != 0) {
    fprintf(stderr, "%s: the first argument is \"%s\"; accepted: planted, repaired\n", argv[0],
            which);
    exit(2);
  }
  p.repaired = strcmp(which, "repaired") == 0;
  if (argc > 2) {
    char* end = argv[2];
    errno = 0;
    p.percent = strtol(argv[2], &end, 10);
    if (end == argv[2] || *end != 0 || errno != 0 || p.percent < 1 || p.percent > 10000) {
      fprintf(stderr, "%s: the percentage of the work is \"%s\"; accepted: 1 to 10000\n", argv[0],
              argv[2]);
      exit(2);
    }
  }
  return p;
}

/// That share of `n`, at least 1.
static inline long scaled(struct program p, long n) {
  const long some = n * p.percent / 100;
  return some > 0 ? some : 1;
}

static inline int print_checksum(uint64_t sum) {
  printf("checksum %016" PRIx64 "\n", sum);
  return fflush(stdout) == 0 ? 0 : 1;
}
