// SPDX-License-Identifier: Apache-2.0
// threadprivate, copyin and copyprivate of threadprivate variables, persistence between regions.
#include "support/check.h"

static int counter = 5;
static double table[64];
static struct {
  int number;
  char name[20];
} record = {3, "first"};
static int* address;
#pragma omp threadprivate(counter, table, record)
#pragma omp threadprivate(address)

static void initial_values(void) {
#pragma omp parallel num_threads(3)
  {
    counter = omp_get_thread_num() + 100;
#pragma omp barrier
    CHECK_EQ(counter, omp_get_thread_num() + 100);
    counter = 5;
  }
  CHECK_EQ(counter, 5);
}

// Flat regions of one size in a row see the same copies, also with other work between them.
static void persistence(void) {
  if (is_nested()) {
    return;  // promised for regions outside of others alone
  }
  omp_set_dynamic(0);
#pragma omp parallel
  {
    counter = omp_get_thread_num() * 3;
    table[10] = counter + 0.5;
    address = &counter;
  }
  for (int round = 0; round < 10; round++) {
#pragma omp parallel
    {
      CHECK_EQ(counter, omp_get_thread_num() * 3 + round);
      CHECK(table[10] == omp_get_thread_num() * 3 + 0.5);
      CHECK(address == &counter);
      counter++;
#pragma omp for
      for (int i = 0; i < 20; i++) {
      }
    }
  }
  CHECK_EQ(counter, 10);  // the initial thread's copy is member 0's
  counter = 5;
}

static void copyin_clause(void) {
  counter = 42;
  record.number = 7;
  strcpy(record.name, "copied");
  table[63] = 6.25;
#pragma omp parallel copyin(counter, record, table)
  {
    CHECK_EQ(counter, 42);
    CHECK_EQ(record.number, 7);
    CHECK(strcmp(record.name, "copied") == 0);
    CHECK(table[63] == 6.25);
    counter += omp_get_thread_num();
#pragma omp barrier
    CHECK_EQ(counter, 42 + omp_get_thread_num());
  }
  CHECK_EQ(counter, 42);
  counter = 5;
}

static void copyprivate_clause(void) {
#pragma omp parallel
  for (int round = 0; round < 5; round++) {
    counter = -omp_get_thread_num();
#pragma omp barrier
#pragma omp single copyprivate(counter, record)
    {
      counter = 1000 + round;
      record.number = round;
    }
    CHECK_EQ(counter, 1000 + round);
    CHECK_EQ(record.number, round);
#pragma omp barrier
  }
  counter = 5;
}

static void seen_by_tasks(void) {
#pragma omp parallel num_threads(4)
  {
    counter = omp_get_thread_num() + 10;
#pragma omp barrier
    for (int i = 0; i < 10; i++) {
#pragma omp task
      CHECK_EQ(counter, omp_get_thread_num() + 10);  // the copy of the thread that runs the task
    }
#pragma omp taskwait
    CHECK_EQ(counter, omp_get_thread_num() + 10);
  }
  counter = 5;
}

static void function_scope(void) {
  static int local = 2;
#pragma omp threadprivate(local)
#pragma omp parallel
  {
    local = omp_get_thread_num();
#pragma omp barrier
    CHECK_EQ(local, omp_get_thread_num());
  }
  CHECK_EQ(local, 0);
}

static void addresses_differ(void) {
  int* addresses[64];
#pragma omp parallel
  {
    addresses[omp_get_thread_num()] = &counter;
#pragma omp barrier
  }
  CHECK(addresses[0] == &counter);
  for (int i = 0; i < team_size(); i++) {
    for (int j = 0; j < i; j++) {
      CHECK(addresses[i] != addresses[j]);
    }
  }
}

static void test(void) {
  initial_values();
  persistence();
  copyin_clause();
  copyprivate_clause();
  seen_by_tasks();
  function_scope();
  addresses_differ();
}
