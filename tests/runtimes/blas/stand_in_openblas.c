// SPDX-License-Identifier: Apache-2.0
// A library with the entry points of an OpenBLAS that has threads of its own, and jobs that treat
// each other as those of a matrix product do: each waits in a loop until all have come. Its jobs
// see what would go wrong: two at once with one number, a number of its own threads or out of
// range.
//
//   NAME(function)    the name of a function as a builder has it; SETTER(function) of the setter

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#include "stand_in_openblas.h"

extern int omp_in_parallel(void) __attribute__((weak));

typedef void run_job(int thread, void* job, int data);
typedef void callback(int sync, run_job* run, int n, size_t size, void* jobs, int data);

enum { spins_between_yields = 2000 };

struct call {
  atomic_int come;
  int n;
};

struct job {
  struct call* of;
  int position;
  long sum;
};

static callback* _Atomic called_back;
static atomic_int threads = 2, errors, warnings, in_callback, own_calls, running, most_running;
static atomic_int in_use[MAX_THREADS];

int NAME(openblas_get_parallel)(void) { return 1; }
int NAME(openblas_get_num_threads)(void) { return threads; }
void NAME(openblas_set_num_threads)(int n) { threads = n; }
void SETTER(openblas_set_threads_callback_function)(callback* c) { called_back = c; }
char* NAME(openblas_get_config)(void) {
  static char text[64];
  snprintf(text, sizeof text, "OpenBLAS 0.3.99 NO_AFFINITY stand-in MAX_THREADS=%d", MAX_THREADS);
  return text;
}

static void note_running(int more) {
  const int now = (running += more);
  for (int before = most_running; now > before;)
    if (atomic_compare_exchange_weak(&most_running, &before, now)) break;
}

static void run(int thread, void* arg, int data) {
  struct job* j = arg;
  const int own = data == 0 ? 0 : atomic_load(&threads) - 1;
  if (thread < own || thread >= MAX_THREADS || atomic_exchange(&in_use[thread], 1) != 0) errors++;
  note_running(1);
  for (int round = 1; round <= 3; round++) {
    j->of->come++;
    // OpenBLAS only spins. The other job may have no processor, on a machine that does other work.
    for (int spun = 0; j->of->come < round * j->of->n; spun++)
      if (spun % spins_between_yields == spins_between_yields - 1) sched_yield();
  }
  j->sum = j->position + 1;
  note_running(-1);
  if (thread >= 0 && thread < MAX_THREADS) in_use[thread] = 0;
}

static void* run_own(void* arg) {
  struct job* j = arg;
  j->sum = j->position + 1;
  return NULL;
}

int stand_in_call(void) {
  struct job jobs[MAX_THREADS];
  struct call all = {0, threads};
  const int n = all.n;
  for (int i = 0; i < n; i++) jobs[i] = (struct job){&all, i, 0};
  callback* const c = called_back;
  if (c != NULL) {
    in_callback++;
    c(1, run, n, sizeof *jobs, jobs, 1);
  } else {
    if (omp_in_parallel && omp_in_parallel() > 0) warnings++;
    own_calls++;
    pthread_t others[MAX_THREADS];
    for (int i = 1; i < n; i++) pthread_create(&others[i], NULL, run_own, &jobs[i]);
    run_own(&jobs[0]);
    for (int i = 1; i < n; i++) pthread_join(others[i], NULL);
  }
  long sum = 0;
  for (int i = 0; i < n; i++) sum += jobs[i].sum;
  return sum == (long)n * (n + 1) / 2;
}

struct stand_in stand_in_look(void) {
  return (struct stand_in){called_back != NULL, errors,       warnings, in_callback,
                           own_calls,           most_running, threads};
}

void stand_in_use(int n) { threads = n; }

void stand_in_forget_jobs(void) {
  running = most_running = 0;
  for (int i = 0; i < MAX_THREADS; i++) in_use[i] = 0;
}
