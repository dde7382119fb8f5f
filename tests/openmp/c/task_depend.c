// SPDX-License-Identifier: Apache-2.0
// depend of every type: in, out, inout, mutexinoutset, inoutset, depobj, iterators, omp_all_memory.
#include "support/check.h"

static void chain(void) {
  int value = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : value) shared(value)
    {
      CHECK_EQ(value, i);
      value++;
    }
  }
  CHECK_EQ(value, 100);
}

// Writers in order, readers between two writers at any time between them.
static void readers_and_writers(void) {
  int value = 0, reads = 0, x, y;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= 20; round++) {
#pragma omp task depend(out : value)
    value = round;
    for (int i = 0; i < 5; i++) {
#pragma omp task depend(in : value)
      {
        CHECK_EQ(value, round);
#pragma omp atomic
        reads++;
      }
    }
  }
  CHECK_EQ(reads, 100);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task depend(out : x) shared(x)
    x = i;
#pragma omp task depend(out : y) shared(y)
    y = 2 * i;
#pragma omp task depend(in : x, y) shared(x, y)
    CHECK(x == i && y == 2 * i);
#pragma omp task depend(in : x) depend(inout : y) shared(x, y)
    {
      CHECK(x == i && y == 2 * i);
      y = -1;
    }
  }
}

static void diamonds(void) {
  int a = 0, b = 0, c = 0, d = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 1; i <= 20; i++) {
#pragma omp task depend(inout : a)
    a++;
#pragma omp task depend(in : a) depend(out : b)
    b = a * 2;
#pragma omp task depend(in : a) depend(out : c)
    c = a * 3;
#pragma omp task depend(in : b, c) depend(out : d)
    {
      d = b + c;
      CHECK_EQ(d, 5 * i);
    }
  }
  CHECK_EQ(d, 100);
}

static void stencil(void) {
  enum { width = 12, rounds = 10 };
  int cells[2][width + 2] = {{0}};
  cells[0][width / 2] = 1;
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < rounds; t++) {
    int *from = cells[t % 2], *to = cells[(t + 1) % 2];
    for (int i = 1; i <= width; i++) {
#pragma omp task depend(in : from[i - 1], from[i], from[i + 1]) depend(out : to[i])
      to[i] = from[i - 1] + from[i] + from[i + 1];
    }
  }
  int serial[2][width + 2] = {{0}};
  serial[0][width / 2] = 1;
  for (int t = 0; t < rounds; t++) {
    for (int i = 1; i <= width; i++) {
      const int* from = serial[t % 2];
      serial[(t + 1) % 2][i] = from[i - 1] + from[i] + from[i + 1];
    }
  }
  CHECK(memcmp(cells, serial, sizeof cells) == 0);
}

static void array_sections(void) {
  int values[100] = {0};
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(out : values[10 * i : 10])
      for (int j = 0; j < 10; j++) {
        values[10 * i + j] = i;
      }
    }
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(in : values[10 * i : 10])
      for (int j = 0; j < 10; j++) {
        CHECK_EQ(values[10 * i + j], i);
      }
    }
  }
}

// Members of a mutexinoutset run in any order, never two at once; in and out wait for all of them.
static void mutual_exclusion(void) {
  int sum = 0, inside = 0, other = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : sum)
    sum = 1000;
    for (int i = 0; i < 40; i++) {
#pragma omp task depend(mutexinoutset : sum) shared(sum, inside)
      {
        CHECK_EQ(inside, 0);
        inside = 1;
        sum += i;
        inside = 0;
      }
    }
#pragma omp task depend(in : sum)
    CHECK_EQ(sum, 1780);
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(mutexinoutset : sum, other)
      {
        sum--;
        other++;
      }
#pragma omp task depend(mutexinoutset : other)
      other += 10;
#pragma omp task depend(mutexinoutset : sum)
      sum--;
    }
  }
  CHECK_EQ(sum, 1760);
  CHECK_EQ(other, 110);
}

#ifdef __clang__  // GCC 12 knows neither inoutset nor omp_all_memory
static void inoutset(void) {
  int values[30] = {0}, base = 0, all = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= 3; round++) {
#pragma omp task depend(out : base)
    base = round;
    for (int i = 0; i < 30; i++) {
#pragma omp task depend(inoutset : base)
      {
        CHECK_EQ(base, round);
        values[i] += base;
      }
    }
#pragma omp task depend(in : base)
    for (int i = 0; i < 30; i++) {
      CHECK_EQ(values[i], round * (round + 1) / 2);
    }
#pragma omp task depend(inoutset : base)
    {
#pragma omp atomic
      all++;
    }
  }
  CHECK_EQ(all, 3);
}

static void all_memory(void) {
  int a = 0, b = 0, c = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 1; i <= 10; i++) {
#pragma omp task depend(out : a)
    a++;
#pragma omp task depend(out : b)
    b++;
#pragma omp task depend(inout : omp_all_memory)
    {
      CHECK_EQ(a, i);
      CHECK_EQ(b, i);
      c++;
    }
#pragma omp task depend(in : a)
    CHECK_EQ(c, i);
#pragma omp task depend(out : omp_all_memory) depend(in : b)
    CHECK_EQ(c, i);
  }
  CHECK_EQ(c, 10);
}
#else
static void inoutset(void) {}
static void all_memory(void) {}
#endif

static void depend_objects(void) {
  int value = 0, other = 0;
  omp_depend_t object, second;
#pragma omp parallel
#pragma omp single
  {
#pragma omp depobj(object) depend(inout : value)
#pragma omp depobj(second) depend(out : other)
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(depobj : object) shared(value)
      {
        CHECK_EQ(value, i);
        value++;
      }
#pragma omp task depend(depobj : second, object)
      other = value;
    }
#pragma omp depobj(object) update(in)
#pragma omp depobj(second) update(mutexinoutset)
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(depobj : object)
      CHECK_EQ(value, 20);
#pragma omp task depend(depobj : second)
      other++;
    }
#pragma omp depobj(object) destroy
#pragma omp depobj(second) destroy
  }
  CHECK_EQ(other, 40);
}

static void iterators(void) {
  enum { count = 16 };
  int values[count], seen = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < count; i++) {
#pragma omp task depend(out : values[i])
      values[i] = round + i;
    }
#pragma omp task depend(iterator(int k = 0 : count), in : values[k])
    for (int i = 0; i < count; i++) {
      CHECK_EQ(values[i], round + i);
    }
#pragma omp task depend(iterator(k = count - 1 : -1 : -5), inout : values[k]) shared(seen)
    seen += values[0] == round && values[count - 1] == round + count - 1;
    int length = count / 2;
#pragma omp task depend(iterator(int k = 0 : length, j = 0 : 2), in : values[2 * k + j])
    CHECK_EQ(values[length], round + length);
  }
  CHECK_EQ(seen, 5);
}

static void many_dependences(void) {
  int cells[32] = {0};
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : cells[0], cells[1], cells[2], cells[3], cells[4], cells[5],   \
                            cells[6], cells[7], cells[8], cells[9], cells[10], cells[11],     \
                            cells[12], cells[13], cells[14], cells[15], cells[16], cells[17], \
                            cells[18], cells[19])
    for (int k = 0; k < 20; k++) {
      CHECK_EQ(cells[k], i);
      cells[k]++;
    }
  }
  CHECK_EQ(cells[19], 10);
}

// One address twice in a task, as in and as out, must not make it wait for itself.
static void the_same_address_twice(void) {
  int value = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task depend(in : value) depend(out : value) depend(inout : value)
    {
      CHECK_EQ(value, i);
      value++;
    }
  }
  CHECK_EQ(value, 20);
}

// Dependences bind siblings only: tasks of different parents do not wait for one another.
static void siblings_only(void) {
  int address = 0, arrived = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_num_threads() == 2) {
#pragma omp task depend(inout : address) if (0)
      {
        atomic_add(&arrived, 1);
        while (atomic_get(&arrived) < 2) {
        }
      }
    }
  }
  CHECK(arrived == 2 || arrived == 0);
}

static void undeferred_waits(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
    int value = 0;
#pragma omp task depend(out : value) shared(value)
    value = 7;
#pragma omp task depend(inout : value) shared(value) if (0)
    {
      CHECK_EQ(value, 7);
      value = 8;
    }
    CHECK_EQ(value, 8);
#pragma omp task depend(out : value) shared(value)
    value = 9;
#pragma omp task depend(in : value) shared(value) final(1)
    CHECK_EQ(value, 9);
#pragma omp taskwait
  }
}

static void taskwait_with_depend(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
    int a = 0, b = 0;
#pragma omp task depend(out : a) shared(a)
    a = 1;
#pragma omp task depend(out : b) shared(b)
    b = 1;
#pragma omp taskwait depend(in : a)
    CHECK_EQ(a, 1);
#pragma omp taskwait depend(inout : a, b)
    CHECK_EQ(b, 1);
#pragma omp task depend(inout : a) shared(a)
    a = 2;
#ifdef __clang__  // GCC 12 has no nowait here
#pragma omp taskwait depend(in : a) depend(out : b) nowait
#endif
#pragma omp task depend(in : b) depend(inout : a) shared(a)
    a++;
#pragma omp taskwait
    CHECK_EQ(a, 3);
  }
}

static void priorities_with_depend(void) {
  int order = 0, values[10];
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : order) priority(10 - i) untied
    values[order++] = i;
  }
  for (int i = 0; i < 10; i++) {
    CHECK_EQ(values[i], i);
  }
}

static void affinity_clause(void) {
  int values[40] = {0};
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 40; i++) {
#pragma omp task affinity(values[i]) affinity(iterator(k = 0 : 4) : values[k])
    values[i] = i;
  }
  for (int i = 0; i < 40; i++) {
    CHECK_EQ(values[i], i);
  }
}

static void test(void) {
  chain();
  readers_and_writers();
  diamonds();
  stencil();
  array_sections();
  mutual_exclusion();
  inoutset();
  all_memory();
  depend_objects();
  iterators();
  many_dependences();
  the_same_address_twice();
  siblings_only();
  undeferred_waits();
  taskwait_with_depend();
  priorities_with_depend();
  affinity_clause();
}
