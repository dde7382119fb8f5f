// SPDX-License-Identifier: Apache-2.0
// Calls of copies of the stand-in for OpenBLAS, which are loaded as Python loads its modules.
//
//   openblas_calls CASE COPY...      prints "right", or what is wrong
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stand_in_openblas.h"

enum { most_copies = 4 };

static int calls = 100;  // of each thread

struct copy {
  void* handle;
  int (*call)(void);
  struct stand_in (*look)(void);
  void (*use)(int threads);
  void (*forget_jobs)(void);
};

static struct copy copies[most_copies];
static int copy_count;

static void fail(const char* what) {
  printf("wrong: %s\n", what);
  fflush(stdout);
  _exit(1);
}

static void expect(int holds, const char* what) {
  if (!holds) fail(what);
}

static struct copy load(const char* file) {
  struct copy c = {dlopen(file, RTLD_NOW | RTLD_LOCAL), NULL, NULL, NULL, NULL};
  if (c.handle == NULL) fail(dlerror());
  c.call = (int (*)(void))dlsym(c.handle, "stand_in_call");
  c.look = (struct stand_in(*)(void))dlsym(c.handle, "stand_in_look");
  c.use = (void (*)(int))dlsym(c.handle, "stand_in_use");
  c.forget_jobs = (void (*)(void))dlsym(c.handle, "stand_in_forget_jobs");
  return c;
}

/// The first call asks whether it is in a region, and by that is noticed.
static void first_calls(void) {
  for (int i = 0; i < copy_count; i++) {
    expect(copies[i].call(), "the first call");
    expect(copies[i].look().served, "a copy has no callback after its first call");
    // On the pool, which starts: a fork beside that is not what is tried here.
    expect(copies[i].call(), "the second call");
  }
}

static void* caller(void* arg) {
  for (int i = 0; i < calls; i++)
    expect(copies[(i + (int)(long)arg) % copy_count].call(), "a call");
  return NULL;
}

static void check_copies(void) {
  for (int i = 0; i < copy_count; i++) {
    const struct stand_in s = copies[i].look();
    expect(s.errors == 0, "a number was another job's, an own thread's or out of range");
    expect(s.warnings == 0, "a copy was told of a region");
    expect(s.in_callback != 0, "no call went to the callback");
    expect(s.most_running <= omp_get_num_procs(), "more jobs ran at once than there are cores");
  }
}

static void from_threads(int n) {
  pthread_t threads[8];
  for (long i = 0; i < n; i++) pthread_create(&threads[i], NULL, caller, (void*)i);
  for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
}

static void callers(int n) {
  first_calls();
  from_threads(n);
  check_copies();
}

/// Each member of a region calls, and more members than cores.
static void in_regions(void) {
  first_calls();
#pragma omp parallel num_threads(4)
  for (int i = 0; i < calls / 4; i++) {
    expect(copies[i % copy_count].call(), "a call in a region");
    expect(omp_get_num_threads() == 4 && omp_in_parallel(), "the region is another one behind it");
  }
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  for (int i = 0; i < calls / 8; i++)
    expect(copies[i % copy_count].call(), "a call in an inner region");
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < calls / 8; i++) {
#pragma omp task
    expect(copies[i % copy_count].call(), "a call in a task");
  }
  check_copies();
}

/// Before any of its calls: a region of new code looks, and a thread of its own serves the copy.
static void noticed_by_a_region(void) {
  int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  members++;
  expect(members == 2, "a region of two");
  for (int i = 0; i < 10000 && !copies[0].look().served; i++) usleep(10000);
  expect(copies[0].look().served && copies[0].look().own_calls == 0, "a region does not look");
  from_threads(2);
  check_copies();
}

/// Soon: the thread that serves copies may still hold it.
static void expect_unloaded(const char* file) {
  void* handle = NULL;
  for (int i = 0; i < 100000 && (handle = dlopen(file, RTLD_NOW | RTLD_NOLOAD)) != NULL; i++) {
    dlclose(handle);
    usleep(1000);
  }
  expect(handle == NULL, "something keeps the copy loaded");
}

static void reloaded(const char* file) {
  calls = 5;
  const void* bases[2] = {NULL, NULL};
  int places = 0;
  int unserved = 0;
  for (int i = 0; i < 100; i++) {
    copies[0] = load(file);
    Dl_info at;
    expect(dladdr((void*)copies[0].call, &at) != 0, "dladdr");
    places += at.dli_fbase != bases[0];
    bases[0] = at.dli_fbase;
    // The thread that still served the copy before may have served this one at the same place.
    unserved += !copies[0].look().served;
    first_calls();
    from_threads(2);
    check_copies();
    expect(dlclose(copies[0].handle) == 0, "dlclose");
    expect_unloaded(file);
    // Takes its place every other time.
    if (i % 2 == 0) mmap((void*)bases[0], 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  expect(places > 10, "all copies were loaded to the same place");
  expect(unserved > 10, "copies that were loaded anew have a callback");
}

static atomic_int over;

static void* calls_until_over(void* arg) {
  while (!over) expect(copies[0].call(), "a call beside forks");
  return arg;
}

static void child_works(void) {
  calls = 10;
  copies[0].forget_jobs();
  expect(copies[0].call(), "a call in the child");
  from_threads(2);
  int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  members += copies[0].call();
  expect(members == 2, "calls in a region in the child");
  check_copies();
}

static void expect_right(pid_t child) {
  int status = -1;
  expect(waitpid(child, &status, 0) == child && status == 0, "a child ends badly");
}

static pid_t start_child(void) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    alarm(100);
    child_works();
    _exit(0);
  }
  return child;
}

static void forked(void) {
  expect_right(start_child());  // before anything was called
  first_calls();
  expect_right(start_child());
  pthread_t others[2];
  for (int i = 0; i < 2; i++) pthread_create(&others[i], NULL, calls_until_over, NULL);
  for (int i = 0; i < 10; i++) expect_right(start_child());  // others have a turn or wait for one
  over = 1;
  for (int i = 0; i < 2; i++) pthread_join(others[i], NULL);
  from_threads(2);
  check_copies();
}

/// Each generation forks while another thread calls, whose numbers nobody gives back in the child.
static void generations(void) {
  first_calls();
  for (int generation = 0; generation != 12; generation++) {
    pthread_t other;
    over = 0;
    pthread_create(&other, NULL, calls_until_over, NULL);
    usleep(5000);
    const pid_t child = fork();
    if (child != 0) {
      expect_right(child);
      over = 1;
      pthread_join(other, NULL);
      if (generation != 0) _exit(0);
      return;
    }
    copies[0].forget_jobs();
    expect(copies[0].call(), "a call in a child");
    check_copies();
  }
  _exit(0);
}

/// A call that waits has its record deeper in the stack by so many bytes.
static __attribute__((noinline)) void call_deeper_by(size_t bytes) {
  volatile char* const here = alloca(16 + bytes);
  here[0] = 1;
  expect(copies[0].call(), "a call in a child's thread");
  here[1] = 2;
}

static void* calls_at_all_depths(void* arg) {
  for (size_t i = 0; i < 64; i++) call_deeper_by(i * 128);
  return arg;
}

/// Threads of the child get the stacks of those that waited for their turn in the parent.
static void lost_stacks(void) {
  first_calls();
  pthread_t others[6];
  for (int i = 0; i < 6; i++) pthread_create(&others[i], NULL, calls_until_over, NULL);
  for (int k = 0; k < 3; k++) {
    const pid_t child = fork();
    if (child == 0) {
      copies[0].forget_jobs();
      pthread_t threads[6];
      for (int i = 0; i < 6; i++) pthread_create(&threads[i], NULL, calls_at_all_depths, NULL);
      for (int i = 0; i < 6; i++) pthread_join(threads[i], NULL);
      _exit(0);
    }
    expect_right(child);
  }
  over = 1;
  for (int i = 0; i < 6; i++) pthread_join(others[i], NULL);
}

/// What a fork in a region leaves of the pool has one worker, and the jobs wait for each other.
static void forked_in_region(void) {
  first_calls();
#pragma omp parallel num_threads(2)
  {
    expect(copies[0].call(), "a call in a region");
#pragma omp master
    {
      const pid_t child = fork();
      if (child == 0) {
        copies[0].forget_jobs();
        expect(copies[0].call(), "a call in the child of a region");
        _exit(0);
      }
      expect_right(child);
    }
  }
}

static void* regions_until_over(void* arg) {
  while (!over) {
#pragma omp parallel num_threads(3)
    for (int i = 0; i < 20; i++) expect(copies[0].call(), "a call beside forks");
  }
  return arg;
}

/// A call that ends wakes another one, while a fork takes all locks.
static void forks_beside_regions(void) {
  first_calls();
  pthread_t others[4];
  for (int i = 0; i < 4; i++) pthread_create(&others[i], NULL, regions_until_over, NULL);
  for (int i = 0; i < 300; i++) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    expect_right(child);
  }
  over = 1;
  for (int i = 0; i < 4; i++) pthread_join(others[i], NULL);
}

/// It uses more threads than numbers are left above: it keeps them.
static void left_to_itself(void) {
  copies[0].use(12);
  expect(copies[0].call(), "a call of twelve");
#pragma omp parallel num_threads(2)
  expect(copies[0].call(), "a call of twelve in a region");
  const struct stand_in s = copies[0].look();
  expect(!s.served && s.own_calls == 3 && s.warnings == 0, "it is not left to itself");
}

/// It is told to use more threads than it was served with.
static void raised(void) {
  first_calls();
  copies[0].use(16);
  expect(copies[0].call(), "a call of sixteen");
  expect(copies[0].look().threads <= omp_get_num_procs(), "it still uses sixteen threads");
  copies[0].use(5);
  from_threads(4);
  expect(copies[0].look().warnings == 0, "a copy was told of a region");
}

static void off(void) {
  expect(copies[0].call(), "a call");
#pragma omp parallel num_threads(2)
  expect(copies[0].call(), "a call in a region");
  const struct stand_in s = copies[0].look();
  expect(!s.served && s.warnings == 0 && s.own_calls == 3, "it is served, or told of the region");
}

int main(int argc, char** argv) {
  alarm(300);
  const char* const name = argv[1];
  if (strcmp(name, "reloaded") == 0) {
    copy_count = 1;
    reloaded(argv[2]);
  } else {
    for (int i = 2; i < argc; i++) copies[copy_count++] = load(argv[i]);
    if (strncmp(name, "callers", 7) == 0) callers(atoi(name + 7));
    if (strcmp(name, "in_regions") == 0) in_regions();
    if (strcmp(name, "noticed_by_a_region") == 0) noticed_by_a_region();
    if (strcmp(name, "forked") == 0) forked();
    if (strcmp(name, "generations") == 0) generations();
    if (strcmp(name, "lost_stacks") == 0) lost_stacks();
    if (strcmp(name, "forked_in_region") == 0) forked_in_region();
    if (strcmp(name, "forks_beside_regions") == 0) forks_beside_regions();
    if (strcmp(name, "left_to_itself") == 0) left_to_itself();
    if (strcmp(name, "raised") == 0) raised();
    if (strcmp(name, "off") == 0) off();
  }
  puts("right");
  return 0;
}
