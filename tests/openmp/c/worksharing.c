// SPDX-License-Identifier: Apache-2.0
// sections, single (copyprivate, nowait), masked, master, scope, and loops of all of them.
#include "support/check.h"

static void sections_run_once(void) {
  int counts[8] = {0}, last = 0, first = 3;
#pragma omp parallel
  {
    for (int round = 0; round < 5; round++) {
#pragma omp sections lastprivate(last) firstprivate(first)
      {
        {
          counts[0]++;
          first++;
        }
#pragma omp section
        {
          counts[1]++;
          CHECK(first == 3 || first == 4);
        }
#pragma omp section
        counts[2]++;
#pragma omp section
        {
          counts[3]++;
          last = round;
        }
      }
      CHECK_EQ(last, round);
#pragma omp barrier
    }
  }
  for (int i = 0; i < 8; i++) {
    CHECK_EQ(counts[i], i < 4 ? 5 : 0);
  }
  CHECK_EQ(first, 3);
}

static void sections_without_wait(void) {
  int counts[3] = {0};
#pragma omp parallel
  {
#pragma omp sections nowait
    {
#pragma omp section
      counts[0]++;
    }
#pragma omp sections nowait
    {
#pragma omp section
      counts[1]++;
#pragma omp section
      counts[2]++;
    }
  }
  CHECK(counts[0] == 1 && counts[1] == 1 && counts[2] == 1);
}

static void parallel_sections(void) {
  int a = 0, b = 0, c = 0;
#pragma omp parallel sections num_threads(2) private(c)
  {
#pragma omp section
    {
      c = 1;
      a = c;
    }
#pragma omp section
    {
      c = 2;
      b = c;
    }
  }
  CHECK_EQ(a, 1);
  CHECK_EQ(b, 2);
}

static void single_runs_once(void) {
  int runs = 0, after = 0;
#pragma omp parallel
  for (int round = 1; round <= 30; round++) {
#pragma omp single
    runs++;
    CHECK_EQ(runs, round);
#pragma omp barrier
#pragma omp single nowait
    {
#pragma omp atomic
      after++;
    }
#pragma omp single nowait
    {
#pragma omp atomic
      after++;
    }
  }
  CHECK_EQ(after, 60);
}

struct message {
  int number;
  double values[20];
};

static void copyprivate_values(void) {
#pragma omp parallel
  {
    struct message message = {0};
    int small = -1;
    int* pointer = NULL;
    for (int round = 0; round < 10; round++) {
#pragma omp single copyprivate(message, small, pointer)
      {
        message.number = round;
        message.values[19] = round * 1.5;
        small = 100 + round;
        pointer = &small;
      }
      CHECK_EQ(message.number, round);
      CHECK(message.values[19] == round * 1.5);
      CHECK_EQ(small, 100 + round);
      CHECK(pointer != NULL);
      small = -1;
      message.number = -1;
    }
  }
}

static void masked_regions(void) {
  int by_primary = 0, by_other = 0, by_master = 0, by_nobody = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp masked
    by_primary += 1 + omp_get_thread_num();
#pragma omp masked filter(1)
    {
#pragma omp atomic
      by_other += 10 * omp_get_thread_num();
    }
#pragma omp master
    by_master += 1 + omp_get_thread_num();
#pragma omp masked filter(17)
    by_nobody++;
    int mine = omp_get_thread_num() == 2 ? 2 : 0;
#pragma omp masked filter(mine)
    {
#pragma omp atomic
      by_other += 100;
    }
  }
  CHECK_EQ(by_primary, 1);
  CHECK_EQ(by_other, 210);
  CHECK_EQ(by_master, 1);
  CHECK_EQ(by_nobody, 0);
#pragma omp parallel masked
  by_primary = 5;
  CHECK_EQ(by_primary, 5);
#pragma omp parallel masked filter(1) num_threads(2)
  by_primary = omp_get_thread_num();
  CHECK_EQ(by_primary, 1);
}

#ifndef __clang__  // Clang 19 cannot compile scope
static void scope_regions(void) {
  int sum = 0, outside = 9;
#pragma omp parallel
  {
    for (int round = 1; round <= 3; round++) {
#pragma omp scope reduction(+ : sum) private(outside)
      {
        outside = omp_get_thread_num();
        sum += outside;
      }
      CHECK_EQ(sum, round * team_size() * (team_size() - 1) / 2);
#pragma omp barrier
    }
#pragma omp scope nowait
    {
#pragma omp atomic
      outside++;
    }
#pragma omp scope nowait reduction(+ : sum)
    sum++;
  }
  CHECK_EQ(outside, 9 + team_size());
  int tasks = 0;
#pragma omp parallel
#pragma omp scope reduction(task, + : tasks)
  {
#pragma omp task in_reduction(+ : tasks)
    tasks++;
  }
  CHECK_EQ(tasks, team_size());
}
#else
static void scope_regions(void) {}
#endif

// Different constructs one after the other, each reusing what the one before left.
static void mixed_constructs(void) {
  int loop = 0, section = 0, single = 0, guided = 0;
#pragma omp parallel
  for (int round = 0; round < 25; round++) {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 7; i++) {
#pragma omp atomic
      loop++;
    }
#pragma omp single nowait
    {
#pragma omp atomic
      single++;
    }
#pragma omp sections nowait
    {
#pragma omp section
      {
#pragma omp atomic
        section++;
      }
#pragma omp section
      {
#pragma omp atomic
        section++;
      }
    }
#pragma omp for schedule(guided) nowait
    for (long i = 0; i < 7; i++) {
#pragma omp atomic
      guided++;
    }
  }
  CHECK_EQ(loop, 175);
  CHECK_EQ(single, 25);
  CHECK_EQ(section, 50);
  CHECK_EQ(guided, 175);
}

static void test(void) {
  sections_run_once();
  sections_without_wait();
  parallel_sections();
  single_runs_once();
  copyprivate_values();
  masked_regions();
  scope_regions();
  mixed_constructs();
}
