// SPDX-License-Identifier: Apache-2.0
// The child of a fork opens regions: before and after the parent's first region, in turns.
// test: nested=no
#include "support/check.h"

#include <sys/wait.h>
#include <unistd.h>

static int sum_in_a_region(void) {
  int sum = 0, members = 0;
#pragma omp parallel reduction(+ : members)
  {
    members++;
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < 100; i++) {
      sum += i;
    }
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(sum)
      {
#pragma omp atomic
        sum++;
      }
    }
  }
  return members == team_size() ? sum : -1;
}

static void child_opens_a_region(void) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(70);  // a child that hangs must not outlive the test
    for (int i = 0; i < 5; i++) {
      if (sum_in_a_region() != 4960) {
        _exit(1);
      }
    }
    _exit(0);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK_EQ(status, 0);
}

// The child of a member goes on with the region alone. What a thread of the parent has begun ends
// there: then the child ends with a line, by status 2. In either case it ends.
static void child_ends_the_region(void) {
  enum { clause = 3 };
  const pid_t parent = getpid();
  int sum = 0, bad = 0;
  fflush(NULL);
#pragma omp parallel num_threads(clause) reduction(+ : sum)
  {
    if (omp_get_thread_num() == 0 && getpid() == parent) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(70);
        close(STDERR_FILENO);
      } else {
        int status = -1;
        bad = waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
              (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 2);
      }
    }
    sum++;
  }
  if (getpid() != parent) {
    _exit(sum == clause && sum_in_a_region() == 4960 ? 0 : 1);
  }
  CHECK_EQ(sum, clause);
  CHECK_EQ(bad, 0);
}

static void grandchild(void) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(70);
    int ok = sum_in_a_region() == 4960;
    pid_t second = fork();
    if (second == 0) {
      alarm(70);
      _exit(sum_in_a_region() == 4960 ? 0 : 1);
    }
    int status = -1;
    waitpid(second, &status, 0);
    _exit(ok && status == 0 ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK_EQ(status, 0);
}

static void test(void) {
  child_opens_a_region();
  CHECK_EQ(sum_in_a_region(), 4960);
  for (int i = 0; i < 3; i++) {
    child_opens_a_region();
    CHECK_EQ(sum_in_a_region(), 4960);
  }
  grandchild();
  for (int i = 0; i < 5; i++) {
    child_ends_the_region();
  }
}
