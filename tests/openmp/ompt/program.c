// SPDX-License-Identifier: Apache-2.0
// What test.py counts the events of: one part for each argument.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int total;

static void parallel(void) {
  for (int i = 0; i != 3; ++i)
#pragma omp parallel num_threads(2)
#pragma omp atomic
    ++total;
}

static void nested(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp atomic
  ++total;
}

static void tasks(void) {
#pragma omp parallel num_threads(2)
#pragma omp masked
  {
    for (int i = 0; i != 10; ++i)
#pragma omp task
#pragma omp atomic
      ++total;
#pragma omp taskwait
#pragma omp task if (0)
    ++total;
#pragma omp taskgroup
#pragma omp task
    ++total;
  }
}

static void dependences(void) {
  int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp masked
  {
    for (int i = 0; i != 5; ++i)
#pragma omp task depend(inout : x) shared(x)
      ++x;
#pragma omp taskwait
  }
  total = x;
}

static void locks(void) {
  omp_lock_t simple;
  omp_nest_lock_t nest;
  omp_init_lock(&simple);
  omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
  {
    omp_set_lock(&simple);
    ++total;
    omp_unset_lock(&simple);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
#pragma omp critical
    ++total;
  }
  if (omp_test_lock(&simple)) omp_unset_lock(&simple);
  omp_destroy_lock(&simple);
  omp_destroy_nest_lock(&nest);
}

static void work(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 30; ++i)
#pragma omp atomic
      ++total;
#pragma omp sections
    {
#pragma omp section
#pragma omp atomic
      ++total;
#pragma omp section
#pragma omp atomic
      ++total;
    }
#pragma omp single
    ++total;
  }
}

// GCC makes a static loop of schedule(auto) without a call; not of this.
static void automatic(void) {
  omp_set_schedule(omp_sched_auto, 0);
#pragma omp parallel num_threads(2)
#pragma omp for schedule(runtime)
  for (int i = 0; i < 64; ++i)
#pragma omp atomic
    ++total;
}

static void serial_teams(void) {
#pragma omp teams num_teams(2) thread_limit(1)
#pragma omp parallel num_threads(1)
  ++total;
}

// libgomp, with which the program may be linked, does not have it.
static void control(void) {
  int (*call)(int, int, void*) = (int (*)(int, int, void*))dlsym(RTLD_DEFAULT, "omp_control_tool");
  omp_get_max_threads();
  total = call != NULL ? call(1, 7, NULL) : -100;
}

int main(int count, char** names) {
  static const struct {
    const char* name;
    void (*code)(void);
  } parts[] = {
      {"parallel", parallel}, {"nested", nested},           {"tasks", tasks},
      {"locks", locks},       {"dependences", dependences}, {"work", work},
      {"control", control},   {"automatic", automatic},     {"serial_teams", serial_teams}};
  for (unsigned i = 0; count > 1 && i != sizeof parts / sizeof *parts; ++i)
    if (strcmp(names[1], parts[i].name) == 0) parts[i].code();
  printf("%d\n", total);
  return 0;
}
