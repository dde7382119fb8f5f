// SPDX-License-Identifier: Apache-2.0
// for: every schedule and modifier runs each iteration once and hands out chunks as specified.
// test: env=OMP_SCHEDULE=guided,3
#include "support/check.h"

enum { length = 203, members_at_most = 64 };

struct record {
  int owner[length];
  int order[length];  // the how-manieth iteration of its owner
};

static void note(struct record* record, int i, int* mine) {
  record->owner[i] += omp_get_thread_num() + 1;  // twice the same iteration would show
  record->order[i] = (*mine)++;
}

static void check_complete(const struct record* record) {
  for (int i = 0; i < length; i++) {
    CHECK(record->owner[i] >= 1 && record->owner[i] <= team_size());
  }
}

// Ascending iterations per member: what monotonic promises.
static void check_monotonic(const struct record* record) {
  int last[members_at_most];
  memset(last, -1, sizeof last);
  for (int i = 0; i < length; i++) {
    int owner = record->owner[i] - 1;
    CHECK(record->order[i] > last[owner]);
    last[owner] = record->order[i];
  }
}

// Only the last chunk may be shorter, so owners change at multiples of the chunk alone.
static void check_chunks(const struct record* record, int chunk) {
  for (int i = 1; i < length; i++) {
    CHECK(i % chunk == 0 || record->owner[i] == record->owner[i - 1]);
  }
}

// A macro, because the clause is text: one loop with it, then the checks given.
#define LOOP(function, clause, checks)                                              \
  static void function(void) {                                                      \
    struct record record = {{0}, {0}};                                              \
    _Pragma("omp parallel") {                                                       \
      int mine = 0;                                                                 \
      _Pragma(clause) for (int i = 0; i < length; i++) { note(&record, i, &mine); } \
    }                                                                               \
    check_complete(&record);                                                        \
    checks;                                                                         \
  }

LOOP(plain, "omp for", check_monotonic(&record))
LOOP(plain_static, "omp for schedule(static)", check_monotonic(&record))
LOOP(static_1, "omp for schedule(static, 1)", check_chunks(&record, 1))
LOOP(static_7, "omp for schedule(static, 7)", check_chunks(&record, 7))
LOOP(static_big, "omp for schedule(static, 1000)", check_chunks(&record, 1000))
LOOP(dynamic_1, "omp for schedule(dynamic)", check_chunks(&record, 1))
LOOP(dynamic_5, "omp for schedule(dynamic, 5)", check_chunks(&record, 5))
LOOP(dynamic_big, "omp for schedule(dynamic, 150)", check_chunks(&record, 150))
LOOP(dynamic_mono, "omp for schedule(monotonic : dynamic, 4)",
     (check_chunks(&record, 4), check_monotonic(&record)))
LOOP(dynamic_nonmono, "omp for schedule(nonmonotonic : dynamic, 4)", check_chunks(&record, 4))
LOOP(guided_1, "omp for schedule(guided)", (void)0)
LOOP(guided_6, "omp for schedule(guided, 6)", (void)0)
LOOP(guided_mono, "omp for schedule(monotonic : guided, 6)", check_monotonic(&record))
LOOP(guided_nonmono, "omp for schedule(nonmonotonic : guided, 6)", (void)0)
LOOP(automatic, "omp for schedule(auto)", (void)0)
LOOP(runtime, "omp for schedule(runtime)", (void)0)
LOOP(runtime_mono, "omp for schedule(monotonic : runtime)", check_monotonic(&record))
LOOP(runtime_nonmono, "omp for schedule(nonmonotonic : runtime)", (void)0)
LOOP(static_mono, "omp for schedule(monotonic : static, 3)", check_monotonic(&record))

LOOP(ordered_dynamic, "omp for ordered schedule(dynamic, 3)",
     (check_chunks(&record, 3), check_monotonic(&record)))
LOOP(ordered_runtime, "omp for ordered schedule(runtime)", check_monotonic(&record))

// Chunk k of schedule(static, chunk) belongs to member k modulo the team's size.
static void static_assignment(void) {
  for (int chunk = 1; chunk < 40; chunk += 6) {
    int owner[length] = {0}, size = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static, chunk)
      for (int i = 0; i < length; i++) {
        owner[i] = omp_get_thread_num();
      }
#pragma omp single
      size = omp_get_num_threads();
    }
    for (int i = 0; i < length; i++) {
      CHECK_EQ(owner[i], i / chunk % size);
    }
  }
}

// Without a chunk each member has at most one, and two loops of one length are cut alike.
static void static_is_the_same_twice(void) {
  int first[length] = {0}, second[length] = {0};
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < length; i++) {
      first[i] = omp_get_thread_num();
    }
#pragma omp for schedule(static) nowait
    for (int i = 0; i < length; i++) {
      CHECK_EQ(first[i], omp_get_thread_num());  // no race exactly because the cut is the same
      second[i] = omp_get_thread_num();
    }
  }
  for (int i = 1; i < length; i++) {
    CHECK(second[i] >= second[i - 1]);
  }
}

static void guided_chunks_shrink_to_the_minimum(void) {
  enum { least = 6 };
  int owner[length] = {0}, start[length] = {0}, last_start = 0;
#pragma omp parallel
  {
    int previous = -2, begin = 0;
#pragma omp for schedule(monotonic : guided, least)
    for (int i = 0; i < length; i++) {
      begin = i == previous + 1 ? begin : i;
      previous = i;
      start[i] = begin;
      owner[i] = omp_get_thread_num();
    }
  }
  for (int i = 1; i <= length; i++) {
    if (i == length || owner[i] != owner[i - 1] || start[i] != start[i - 1]) {
      CHECK(i == length || i - last_start >= least);
      last_start = i;
    }
  }
}

static void run_with_schedule(omp_sched_t kind, int chunk) {
  struct record record = {{0}, {0}};
  omp_set_schedule(kind, chunk);
#pragma omp parallel
  {
    int mine = 0;
#pragma omp for schedule(runtime)
    for (int i = 0; i < length; i++) {
      note(&record, i, &mine);
    }
  }
  check_complete(&record);
  unsigned plain_kind = (unsigned)kind & ~(unsigned)omp_sched_monotonic;
  if (chunk > 0 && (plain_kind == omp_sched_static || plain_kind == omp_sched_dynamic)) {
    check_chunks(&record, chunk);
  }
  if ((unsigned)kind & (unsigned)omp_sched_monotonic) {
    check_monotonic(&record);
  }
}

static void runtime_schedules(void) {
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  CHECK_EQ((unsigned)kind & ~(unsigned)omp_sched_monotonic, omp_sched_guided);
  CHECK_EQ(chunk, 3);
  const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                               omp_sched_auto};
  for (int k = 0; k < 4; k++) {
    for (int size = 0; size < 12; size += 5) {
      run_with_schedule(kinds[k], size);
      run_with_schedule((omp_sched_t)(kinds[k] | omp_sched_monotonic), size);
    }
  }
  omp_set_schedule(omp_sched_static, 4);
  omp_get_schedule(&kind, &chunk);
  CHECK_EQ((unsigned)kind & ~(unsigned)omp_sched_monotonic, omp_sched_static);
  CHECK_EQ(chunk, 4);
}

static void chunk_from_an_expression(int chunk) {
  struct record record = {{0}, {0}};
#pragma omp parallel firstprivate(chunk)
  {
    int mine = 0;
#pragma omp for schedule(dynamic, chunk * 2)
    for (int i = 0; i < length; i++) {
      note(&record, i, &mine);
    }
  }
  check_complete(&record);
  check_chunks(&record, chunk * 2);
}

static void test(void) {
  plain(), plain_static(), static_1(), static_7(), static_big();
  dynamic_1(), dynamic_5(), dynamic_big(), dynamic_mono(), dynamic_nonmono();
  guided_1(), guided_6(), guided_mono(), guided_nonmono(), automatic();
  runtime(), runtime_mono(), runtime_nonmono(), static_mono();
  ordered_dynamic(), ordered_runtime();
  static_assignment();
  static_is_the_same_twice();
  guided_chunks_shrink_to_the_minimum();
  runtime_schedules();
  chunk_from_an_expression(3);
}
