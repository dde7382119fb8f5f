// SPDX-License-Identifier: Apache-2.0
// What the programs of this folder have in common. Each takes the number of its repetitions, and
// prints the work and the span of its run, as it counted them itself: true_figures.py compares
// these with what a profile says.
//
// A unit of work is so many ticks of the processor's clock. A thread that loses its processor
// within one has that unit for nothing, and all others cost what they are counted for: what else
// the machine does enters neither the count nor the processor time.
#pragma once

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline uint64_t ns_of_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static inline uint64_t ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return ns_of_clock(CLOCK_MONOTONIC);
#endif
}

/// Ticks of work, and of the longest chain in it.
struct figures {
  uint64_t work;
  uint64_t span;
};

static inline struct figures then(struct figures a, struct figures b) {
  struct figures both = {a.work + b.work, a.span + b.span};
  return both;
}

static inline struct figures beside(struct figures a, struct figures b) {
  struct figures both = {a.work + b.work, a.span > b.span ? a.span : b.span};
  return both;
}

/// What has run since `start`; `usual`, where it is much longer: others had the processor.
static inline struct figures since(uint64_t start, uint64_t usual) {
  const uint64_t wall = ticks() - start;
  const uint64_t took = wall > 2 * usual ? usual : wall;
  struct figures used = {took, took};
  return used;
}

/// Spins for so many ticks. How long it was: a little more than that.
static inline struct figures consume(uint64_t unit) {
  const uint64_t start = ticks();
  while (ticks() - start < unit) {
  }
  return since(start, unit);
}

/// The rate of the ticks, from the moment at which it is made.
struct rate {
  uint64_t ticks;
  uint64_t ns;
};

static inline struct rate begin_rate(void) {
  struct rate r = {ticks(), ns_of_clock(CLOCK_MONOTONIC)};
  return r;
}

static inline double seconds_of(struct rate since, uint64_t n) {
  const uint64_t ns = ns_of_clock(CLOCK_MONOTONIC) - since.ns;
  return (double)n * 1e-9 * (double)ns / (double)(ticks() - since.ticks);
}

/// About so many nanoseconds, in ticks.
static inline uint64_t ticks_of_ns(struct rate r, uint64_t wanted) {
  while (ns_of_clock(CLOCK_MONOTONIC) - r.ns < 10000000) {
  }
  const double ns = (double)(ns_of_clock(CLOCK_MONOTONIC) - r.ns);
  return (uint64_t)((double)wanted * (double)(ticks() - r.ticks) / ns);
}

/// The first argument; ends the program with a line where it is wrong.
static inline long read_repetitions(int argc, char** argv) {
  char* end = NULL;
  const long n = argc == 2 ? strtol(argv[1], &end, 10) : -1;
  if (n >= 0 && n <= 1000000000 && *end == 0 && end != argv[1]) return n;
  fprintf(stderr, "%s: the argument is \"%s\"; accepted: the number of repetitions, 0 to 10^9\n",
          argv[0], argc == 2 ? argv[1] : "");
  exit(2);
}

static inline int print_figures(double work_s, double span_s) {
  printf("{\"work_s\": %.9f, \"span_s\": %.9f}\n", work_s, span_s);
  return fflush(stdout) == 0 ? 0 : 1;
}

#ifdef __cplusplus
}
#endif
