// SPDX-License-Identifier: Apache-2.0
// Regions of a process that gets no more threads from the system after the first few (EAGAIN): they run, with
// members of fewer threads if need be, and nobody is told more than once.
// test: nested=no threads=4,16 flags=-ldl,-rdynamic,-D_GNU_SOURCE
#include "support/check.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int left = 0;  // threads that may be made

// The program's own goes before the C library's.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument) {
  typedef int (*function)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  static function real = NULL;
  if (real == NULL) {
    real = (function)dlsym(RTLD_NEXT, "pthread_create");
  }
  if (atomic_add(&left, -1) <= 0) {
    return EAGAIN;
  }
  return real(thread, attributes, run, argument);
}

static int failures = 0;

static void expect(int got, int wanted) {
  if (got != wanted) {
    fprintf(stdout, "FAIL %d, not %d\n", got, wanted);
    failures++;
  }
}

static void a_region(int asked) {
  int members = 0, sum = 0, inner = 0, tasks = 0, size = 0;
#pragma omp parallel num_threads(asked) reduction(+ : members, sum, inner)
  {
    members++;
#pragma omp single
    size = omp_get_num_threads();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; i++) {
      sum += i;
    }
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task
#pragma omp atomic
      tasks++;
    }
#pragma omp parallel num_threads(3) reduction(+ : inner)
    {
#pragma omp barrier
      inner += omp_get_num_threads() == 3;
    }
  }
  expect(members, size);
  expect(size >= 1 && size <= asked, 1);
  expect(sum, 4950);
  expect(tasks, 20);
  expect(inner, 3 * size);
}

// In a process of its own, which has made no threads yet. Its lines on stderr are counted.
static void with_threads(int threads) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(15);
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    atomic_set(&left, threads);
    omp_set_max_active_levels(2);
    for (int i = 0; i < 10; i++) {
      a_region(team_size());
      a_region(2);
      a_region(16);
    }
    fflush(NULL);
    _exit(failures != 0);
  }
  close(ends[1]);
  char said[2000];
  int lines = 0;
  for (long n; (n = read(ends[0], said, sizeof said)) > 0;) {
    for (long i = 0; i < n; i++) {
      lines += said[i] == '\n';
    }
  }
  close(ends[0]);
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK_EQ(status, 0);
  CHECK(lines <= 1);
}

static void test(void) {
  if (known_bug("libgomp", "it ends the process") || known_bug("libomp", "it ends the process")) {
    return;
  }
  for (int threads = 0; threads <= 6; threads++) {
    with_threads(threads);
  }
}
