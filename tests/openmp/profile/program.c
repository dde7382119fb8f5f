// SPDX-License-Identifier: Apache-2.0
// Constructs in known numbers, for the profile's counts. The argument names the part that runs.
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum {
  regions = 20,
  rounds = 50,
  chain = 100,
  iterations = 1000,
  chunk = 10,
  roots = 5,
  depth = 8
};

static volatile long sink;
static void work(long n) {
  for (long i = 0; i < n; i++) sink = i;
}

static long triangle(void) {
  long sum = 0;
  for (int r = 0; r < regions; r++) {
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int i = 0; i < 100; i++) {
      work(i);
      sum++;
    }
  }
  return sum;
}

static long barriers(void) {
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  for (int r = 0; r < rounds; r++) {
    work(100 * (omp_get_thread_num() + 1));
    sum++;
#pragma omp barrier
  }
  return sum;
}

static long critical(void) {
  long sum = 0;
#pragma omp parallel
  for (int r = 0; r < rounds; r++) {
#pragma omp critical(hot)
    {
      work(1000);
      sum++;
    }
  }
  return sum;
}

static long locks(void) {
  long sum = 0;
  omp_lock_t lock;
  omp_nest_lock_t nested;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nested);
#pragma omp parallel
  for (int r = 0; r < rounds; r++) {
    omp_set_lock(&lock);
    sum++;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nested);
    omp_set_nest_lock(&nested);
    sum++;
    omp_unset_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
  }
  omp_destroy_nest_lock(&nested);
  omp_destroy_lock(&lock);
  return sum;
}

static long ordered(void) {
  long sum = 0;
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < rounds; i++) {
#pragma omp ordered
    sum = sum * 3 % 1001 + i;
  }
  return sum;
}

static long dynamic(void) {
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for schedule(dynamic, chunk)
    for (int i = 0; i < iterations; i++) sum++;
  }
  return sum;
}

static long two_loops(void) {
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for schedule(dynamic, chunk)
    for (int i = 0; i < iterations; i++) sum++;
#pragma omp for schedule(guided)
    for (int i = 0; i < iterations; i++) sum++;
    work(1);  // GCC's region has a barrier of its own behind the second loop only where it goes on
  }
  return sum;
}

static long depend(void) {
  long x = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < chain; i++) {
#pragma omp task depend(inout : x)
    {
      work(2000);
      x++;
    }
  }
  return x;
}

static long loose(void) {
  long sum = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < rounds; i++) {
#pragma omp task
    {
      work(10000);
#pragma omp atomic
      sum++;
    }
  }
  return sum;
}

static long tree(int levels) {
  if (levels == 0) return 1;
  long a, b;
#pragma omp task shared(a)
  a = tree(levels - 1);
#pragma omp task shared(b) if (levels > 1)
  b = tree(levels - 1);
#pragma omp taskwait
  return a + b;
}

static long recursive(void) {
  long sum = 0;
#pragma omp parallel
#pragma omp single
  sum = tree(depth);
  return sum;
}

static long groups(void) {
  long sum = 0;
#pragma omp parallel
#pragma omp single
  for (int r = 0; r < rounds; r++) {
#pragma omp taskgroup
    {
#pragma omp task
#pragma omp task
#pragma omp atomic
      sum++;
    }
    sum++;
  }
  return sum;
}

static long taskloop(void) {
  long sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(rounds)
  for (int i = 0; i < iterations; i++) {
#pragma omp atomic
    sum++;
  }
  return sum;
}

static long nested(void) {
  long sum = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  for (int r = 0; r < rounds; r++) {
#pragma omp parallel num_threads(2)
#pragma omp atomic
    sum++;
  }
  return sum;
}

static void* root(void* arg) {
  long* sum = arg;
  for (int r = 0; r < regions; r++) {
#pragma omp parallel num_threads(2)
#pragma omp atomic
    (*sum)++;
  }
  return NULL;
}

static long many_roots(void) {
  long sums[roots] = {0};
  pthread_t threads[roots];
  for (int i = 0; i < roots; i++) pthread_create(&threads[i], NULL, root, &sums[i]);
  long sum = 0;
  for (int i = 0; i < roots; i++) {
    pthread_join(threads[i], NULL);
    sum += sums[i];
  }
  return sum;
}

// OMP_CANCELLATION is set: the members go on from where they are.
static long cancel(void) {
  long regions_done = 0;
  for (int r = 0; r < regions; r++) {
#pragma omp parallel
    {
      if (omp_get_thread_num() == r % omp_get_num_threads()) {
#pragma omp cancel parallel
      }
#pragma omp cancellation point parallel
#pragma omp barrier
      work(100);
    }
#pragma omp parallel
    {
      work(100);
#pragma omp barrier
    }
    regions_done++;
  }
  return regions_done;
}

static const struct {
  const char* name;
  long (*run)(void);
} parts[] = {
    {"triangle", triangle},     {"barriers", barriers}, {"critical", critical},
    {"locks", locks},           {"ordered", ordered},   {"dynamic", dynamic},
    {"depend", depend},         {"loose", loose},       {"recursive", recursive},
    {"groups", groups},         {"taskloop", taskloop}, {"nested", nested},
    {"many_roots", many_roots}, {"cancel", cancel},     {"two_loops", two_loops},
};

int main(int argc, char** argv) {
  for (unsigned i = 0; argc == 2 && i < sizeof parts / sizeof *parts; i++) {
    if (strcmp(argv[1], parts[i].name) != 0) continue;
    printf("%ld\n", parts[i].run());
    return 0;
  }
  fprintf(stderr, "program: the argument is the name of a part\n");
  return 2;
}
