// SPDX-License-Identifier: Apache-2.0
// Regions, loops, barriers and tasks allocate nothing once they have run for a while: no call of
// malloc and its like, and no mapping (stacks).
// Thread-locals of inner members come from threads that are made for them, which this sees as well.
// No monitor: the spare threads that it starts depend on the time that things take.
// test: nested=no threads=1,2,8 env=KASURI_MONITOR=0 flags=-D_GNU_SOURCE
#include "support/check.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int allocations = 0;

static void count(void) { __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED); }

// The program's own go before the C library's, in the runtime as well.
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t number, size_t bytes);
void* __libc_realloc(void* old, size_t bytes);
void* __libc_memalign(size_t align, size_t bytes);

void* malloc(size_t bytes) {
  count();
  return __libc_malloc(bytes);
}

void* calloc(size_t number, size_t bytes) {
  count();
  return __libc_calloc(number, bytes);
}

void* realloc(void* old, size_t bytes) {
  count();
  return __libc_realloc(old, bytes);
}

void* aligned_alloc(size_t align, size_t bytes) {
  count();
  return __libc_memalign(align, bytes);
}

int posix_memalign(void** to, size_t align, size_t bytes) {
  count();
  *to = __libc_memalign(align, bytes);
  return *to == NULL ? ENOMEM : 0;
}

void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  count();
  return (void*)syscall(SYS_mmap, at, bytes, protection, flags, file, offset);
}

static int outer_members, inner_members;

static void flat_region(void) {
  int members = 0, sum = 0;
#pragma omp parallel reduction(+ : members, sum)
  {
    members++;
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 100; i++) {
      sum += i;
    }
#pragma omp single
    sum++;
#pragma omp barrier
#pragma omp critical
    sum++;
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 20; i++) {
#pragma omp ordered
      sum++;
    }
#pragma omp sections
    {
#pragma omp section
      sum++;
#pragma omp section
      sum++;
    }
  }
  CHECK_EQ(members, team_size());
  CHECK_EQ(sum, 4950 + 1 + members + 20 + 2);
}

static void nested_regions(void) {
  int members = 0;
#pragma omp parallel num_threads(outer_members) reduction(+ : members)
  {
#pragma omp parallel num_threads(inner_members) reduction(+ : members)
    {
#pragma omp barrier
      members++;
    }
#pragma omp barrier
#pragma omp parallel for num_threads(inner_members) reduction(+ : members)
    for (int i = 0; i < 10; i++) {
      members++;
    }
  }
  CHECK_EQ(members, outer_members * (inner_members + 10));
}

static void tasks(void) {
  int done = 0;
#pragma omp parallel shared(done)
  {
#pragma omp for
    for (int i = 0; i < 64; i++) {
#pragma omp task firstprivate(i) shared(done)
#pragma omp atomic
      done += i < 64;
    }
#pragma omp single
    {
#pragma omp taskgroup
      for (int i = 0; i < 10; i++) {
#pragma omp task shared(done)
        {
#pragma omp task shared(done)
#pragma omp atomic
          done++;
#pragma omp taskwait
        }
      }
#pragma omp taskloop num_tasks(8) shared(done)
      for (int i = 0; i < 100; i++) {
#pragma omp atomic
        done++;
      }
    }
  }
  CHECK_EQ(done, 64 + 10 + 100);
}

static void dependent_tasks(void) {
  int chain = 0, cells[8] = {0};
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 40; i++) {
#pragma omp task depend(inout : chain) shared(chain)
      chain = chain * 3 % 1009 + 1;
#pragma omp task depend(in : chain) depend(inout : cells[i % 8]) firstprivate(i) shared(cells)
      cells[i % 8]++;
    }
#pragma omp taskwait
  }
  for (int i = 0; i < 8; i++) {
    CHECK_EQ(cells[i], 5);
  }
}

// Who fills whose stores of memory, and how far, depends on who runs what: so the first time
// without an allocation may come late, but it has to come and to last.
static void comes_to_rest(const char* what, void (*run)(void)) {
  enum { attempts = 1000, times = 10, calm_wanted = 10 };
  int calm = 0, last = 0;
  for (int i = 0; i < attempts && calm < calm_wanted; i++) {
    const int before = atomic_get(&allocations);
    for (int j = 0; j < times; j++) {
      run();
    }
    const int more = atomic_get(&allocations) - before;
    calm = more == 0 ? calm + 1 : 0;
    last = more != 0 ? more : last;
  }
  if (calm < calm_wanted) {
    printf("%s: %d allocations in %d runs, after %d\n", what, last, times, attempts * times);
  }
  CHECK(calm == calm_wanted);
}

static void test(void) {
  if (known_bug("libgomp", "inner regions allocate") || known_bug("libomp", "tasks allocate")) {
    return;
  }
  CHECK(atomic_get(&allocations) > 0);  // the runtime's start: its calls come here
  comes_to_rest("flat region", flat_region);
  comes_to_rest("tasks", tasks);
  comes_to_rest("dependent tasks", dependent_tasks);
  omp_set_max_active_levels(2);
  static const int outer[] = {2, 4, 8};
  static const int inner[] = {2, 4, 8, 16, 36};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 5; j++) {
      outer_members = outer[i];
      inner_members = inner[j];
      char what[60];
      snprintf(what, sizeof what, "nested regions, %d with %d", outer[i], inner[j]);
      comes_to_rest(what, nested_regions);
    }
  }
}
