// SPDX-License-Identifier: Apache-2.0
// target on the host: map, data, update, nowait with depend, in_reduction, device clauses.
#include "support/check.h"

static void mapping(void) {
  int values[50] = {0}, from[50], to[50], scalar = 3, mapped = 4;
  for (int i = 0; i < 50; i++) {
    to[i] = i;
  }
#pragma omp target map(tofrom : values, mapped) map(to : to) map(from : from)
  {
    for (int i = 0; i < 50; i++) {
      values[i] += to[i] * scalar;
      from[i] = 2 * i;
    }
    mapped = 40;
    scalar = 100;  // firstprivate: nobody sees it
  }
  for (int i = 0; i < 50; i++) {
    CHECK_EQ(values[i], 3 * i);
    CHECK_EQ(from[i], 2 * i);
  }
  CHECK_EQ(scalar, 3);
  CHECK_EQ(mapped, 40);
#pragma omp target map(tofrom : values[10 : 5]) firstprivate(scalar) if (scalar == 3)
  for (int i = 10; i < 15; i++) {
    values[i] = -scalar;
  }
  CHECK_EQ(values[12], -3);
  CHECK_EQ(values[9], 27);
#pragma omp target defaultmap(tofrom : scalar)
  scalar = 12;
  CHECK_EQ(scalar, 12);
}

static void data_regions(void) {
  double values[40];
  for (int i = 0; i < 40; i++) {
    values[i] = i;
  }
#pragma omp target data map(tofrom : values)
  {
#pragma omp target
    for (int i = 0; i < 40; i++) {
      values[i] *= 2;
    }
#pragma omp target update from(values)
    CHECK(values[39] == 78);
    values[0] = 5;
#pragma omp target update to(values[0 : 1])
#pragma omp target
    values[0] += 1;
  }
  CHECK(values[0] == 6);
#pragma omp target enter data map(to : values)
#pragma omp target map(tofrom : values)
  values[1] = -1;
#pragma omp target exit data map(from : values)
  CHECK(values[1] == -1);
}

static void regions_in_target(void) {
  int sum = 0, level = -1;
#pragma omp target map(tofrom : sum, level)
  {
    level = omp_get_level();
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < 100; i++) {
      sum += i;
    }
  }
  CHECK_EQ(sum, 4950);
#pragma omp target parallel for map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < 100; i++) {
    sum += i;
  }
  CHECK_EQ(sum, 9900);
#pragma omp target parallel map(tofrom : sum) num_threads(3)
  {
#pragma omp single
    sum++;
  }
  CHECK_EQ(sum, 9901);
#pragma omp target simd map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < 10; i++) {
    sum += i;
  }
  CHECK_EQ(sum, 9946);
}

#ifndef __clang__  // Clang's programs call the region as a function, which we do not hear of
struct seen {
  int level, active, ancestor, size, in_parallel, inner_level, inner_ancestor, threads, levels,
      limit, dynamic;
};

static struct seen look(void) {
  struct seen s = {.level = omp_get_level(),
                   .active = omp_get_active_level(),
                   .ancestor = omp_get_ancestor_thread_num(1),
                   .size = omp_get_team_size(0),
                   .in_parallel = omp_in_parallel(),
                   .threads = omp_get_max_threads(),
                   .levels = omp_get_max_active_levels(),
                   .limit = omp_get_thread_limit(),
                   .dynamic = omp_get_dynamic()};
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    s.inner_level = omp_get_level();
    s.inner_ancestor = omp_get_ancestor_thread_num(1) * 10 + omp_get_ancestor_thread_num(0);
  }
  return s;
}

// What a device would say: no enclosing regions, and the control variables of the environment.
static void a_device_of_its_own(void) {
  const char* text = getenv("OMP_NUM_THREADS");
  const int from_environment = text == NULL ? 0 : atoi(text);
  struct seen of_each[2] = {{0}};
#pragma omp parallel num_threads(2) shared(of_each)
  {
    struct seen s = {0}, later = {0};
    omp_set_num_threads(from_environment + 5);
    omp_set_max_active_levels(7);
    omp_set_dynamic(1);
#pragma omp target map(tofrom : s) thread_limit(3)
    s = look();
#pragma omp target map(tofrom : later) thread_limit(4) nowait
    later = look();
#pragma omp taskwait
    CHECK_EQ(later.limit, 4);
    CHECK_EQ(later.level, 0);
    CHECK_EQ(omp_get_level(), base_level() + 1);
    CHECK_EQ(omp_get_max_threads(), from_environment + 5);
    CHECK_EQ(omp_get_max_active_levels(), 7);
    of_each[omp_get_thread_num()] = s;
  }
  for (int i = 0; i < 2; i++) {
    const struct seen* s = &of_each[i];
    CHECK_EQ(s->level, 0);
    CHECK_EQ(s->active, 0);
    CHECK_EQ(s->ancestor, -1);
    CHECK_EQ(s->size, 1);
    CHECK_EQ(s->in_parallel, 0);
    CHECK_EQ(s->inner_level, 1);
    CHECK_EQ(s->inner_ancestor, 10);
    CHECK_EQ(s->threads, from_environment);
    CHECK(s->levels != 7);
    CHECK_EQ(s->limit, 3);
    CHECK_EQ(s->dynamic, 0);
  }
}

// The limit is of the threads in one target region: those of others do not count.
static void limits_of_their_own(void) {
  int sizes[4] = {0};
#pragma omp parallel num_threads(4) shared(sizes)
  for (int round = 0; round < 20; round++) {
    int size = 0;
#pragma omp barrier
#pragma omp target map(tofrom : size) thread_limit(3)
#pragma omp parallel num_threads(3) reduction(+ : size)
    size++;
    sizes[omp_get_thread_num()] += size;
  }
  for (int i = 0; i < 4; i++) {
    CHECK_EQ(sizes[i], 60);
  }
}
#endif

static void asynchronous(void) {
  int a = 0, b = 0;
  if (is_nested() && known_bug("libomp", "stops when two start its helpers at once")) {
    return;
  }
#pragma omp parallel
#pragma omp single
  {
#pragma omp target nowait depend(out : a) map(tofrom : a)
    a = 1;
#pragma omp target nowait depend(inout : a) map(tofrom : a)
    a++;
#pragma omp task depend(in : a) depend(out : b)
    b = a * 10;
#pragma omp target depend(inout : b) map(tofrom : b)
    b++;
#pragma omp taskwait
    CHECK_EQ(a, 2);
    CHECK_EQ(b, 21);
#pragma omp target enter data map(to : a) nowait depend(inout : a)
#pragma omp target update to(a) nowait depend(inout : a)
#pragma omp target exit data map(from : a) nowait depend(inout : a)
#pragma omp taskwait
  }
  CHECK_EQ(a, 2);
}

static void devices(void) {
  int is_initial = 0, values[4] = {0}, *pointer = values;
  CHECK_EQ(omp_get_num_devices(), 0);
  CHECK_EQ(omp_get_initial_device(), omp_get_num_devices());
  CHECK(omp_is_initial_device());
  int before = omp_get_default_device();
  omp_set_default_device(3);
  CHECK_EQ(omp_get_default_device(), 3);
  omp_set_default_device(before);
#pragma omp target map(from : is_initial)
  is_initial = omp_is_initial_device();
  CHECK(is_initial);
#pragma omp target is_device_ptr(pointer)
  pointer[2] = 9;
  CHECK_EQ(values[2], 9);
#pragma omp target has_device_addr(values)
  values[1] = 8;
  CHECK_EQ(values[1], 8);
#pragma omp target data map(tofrom : values) use_device_addr(values)
  values[0] = 7;
  CHECK_EQ(values[0], 7);
#pragma omp target device(omp_get_initial_device()) map(tofrom : values)
  values[3] = 6;
  CHECK_EQ(values[3], 6);
}

static void reductions(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 5; i++) {
#pragma omp task in_reduction(+ : sum)
      sum += i;
#ifndef __clang__  // Clang 19 parses this clause and makes nothing of it
#pragma omp target in_reduction(+ : sum)
      sum += 10;
#endif
    }
  }
#ifdef __clang__
  sum += 50;
#endif
  CHECK_EQ(sum, 60);
}

#pragma omp declare target
static int device_global = 5;
static int twice(int x) { return 2 * x; }
#pragma omp end declare target

static void declare_target(void) {
  int result = 0;
#pragma omp target map(from : result)
  result = twice(device_global);
  CHECK_EQ(result, 10);
}

#ifndef __clang__  // Clang's programs need libomptarget for these calls
static void memory_routines(void) {
  int host = omp_get_initial_device();
  int *memory = (int*)omp_target_alloc(100 * sizeof(int), host), values[100], back[100];
  CHECK(memory != NULL);
  for (int i = 0; i < 100; i++) {
    values[i] = i;
  }
  CHECK_EQ(omp_target_memcpy(memory, values, 50 * sizeof(int), 0, 10 * sizeof(int), host, host), 0);
  CHECK_EQ(memory[0], 10);
  CHECK_EQ(memory[49], 59);
  size_t volume[] = {3, 4}, to_offset[] = {1, 2}, from_offset[] = {0, 1}, size[] = {10, 10};
  memset(back, 0, sizeof back);
  CHECK_EQ(omp_target_memcpy_rect(back, values, sizeof(int), 2, volume, to_offset, from_offset,
                                  size, size, host, host),
           0);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++) {
      CHECK_EQ(back[(i + 1) * 10 + j + 2], i * 10 + j + 1);
    }
  }
  CHECK(omp_target_memcpy_rect(NULL, NULL, 1, 0, NULL, NULL, NULL, NULL, NULL, host, host) > 2);
  CHECK(omp_target_is_present(values, host));
  omp_target_free(memory, host);
  omp_target_free(NULL, host);
}
#else
static void memory_routines(void) {}
#endif

static void test(void) {
  mapping();
  data_regions();
  regions_in_target();
#ifndef __clang__
  a_device_of_its_own();
  limits_of_their_own();
#endif
  asynchronous();
  devices();
  reductions();
  declare_target();
  memory_routines();
}
