// SPDX-License-Identifier: Apache-2.0
// Regions of a process that gets no more threads from the system after the first few (EAGAIN). With
// dyn-var true they run, in smaller teams if need be, and nobody is told more than once; with
// dyn-var false the process ends with a line where the members cannot be had. Never do two members
// share thread-locals.
// test: nested=no threads=4,16 flags=-ldl,-rdynamic,-D_GNU_SOURCE env=KASURI_NUM_WORKERS=5
#include "support/check.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int left = 0;  // threads that may be made

// The program's own goes before the C library's.
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
  typedef int (*function)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
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

static _Thread_local int own;
static int own_private;
#pragma omp threadprivate(own_private)

static __attribute__((noinline)) int* address(void) { return &own; }
static __attribute__((noinline)) int* private_address(void) { return &own_private; }

// Whether what the member writes stays its own while the others do the same.
static int keeps(int value) {
  *address() = value;
  *private_address() = -value;
#pragma omp barrier
  return *address() == value && *private_address() == -value;
}

static void a_region(int asked) {
  int kept = 0, inner_members = 0;
  int members = 0, sum = 0, inner = 0, tasks = 0, size = 0;
#pragma omp parallel num_threads(asked) reduction(+ : members, sum, inner, kept, inner_members)
  {
    members++;
    kept += keeps(1 + omp_get_thread_num());
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
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(3) reduction(+ : inner, kept, inner_members)
    {
      kept += keeps(100 * (outer + 1) + omp_get_thread_num());
      inner_members++;
#pragma omp single
      inner += omp_get_num_threads();
    }
  }
  expect(members, size);
  expect(size >= 1 && size <= asked, 1);
  expect(sum, 4950);
  expect(tasks, 20);
  expect(inner, inner_members);
  expect(kept, members + inner_members);
  if (!omp_get_dynamic()) {
    expect(size, asked);
    expect(inner, 3 * asked);
  }
}

// In a process of its own, which has made no threads yet. Its lines on stderr are counted.
static void with_threads(int threads, int dynamic) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(70);
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    atomic_set(&left, threads);
    omp_set_max_active_levels(2);
    omp_set_dynamic(dynamic);
    for (int i = 0; i < 10; i++) {
      a_region(team_size());
      a_region(2);
      a_region(16);
    }
    fflush(NULL);
    _exit(failures != 0);
  }
  close(ends[1]);
  char said[8000] = "";
  long length = 0;
  for (long n; length < (long)sizeof said - 1 &&
               (n = read(ends[0], said + length, sizeof said - 1 - (size_t)length)) > 0;) {
    length += n;
  }
  close(ends[0]);
  int lines = 0;
  for (long i = 0; i < length; i++) {
    lines += said[i] == '\n';
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  if (dynamic || status == 0) {
    CHECK_EQ(status, 0);
    CHECK(lines <= 1);
  } else {
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    CHECK(strstr(said, "Thread creation failed: Resource temporarily unavailable") != NULL);
  }
}

static void test(void) {
  if (known_bug("libgomp", "it ends the process") || known_bug("libomp", "it ends the process")) {
    return;
  }
  for (int threads = 0; threads <= 6; threads++) {
    with_threads(threads, 1);
    with_threads(threads, 0);
  }
  for (int threads = 10; threads <= 60; threads += 10) {
    with_threads(threads, 1);
    with_threads(threads, 0);
  }
}
