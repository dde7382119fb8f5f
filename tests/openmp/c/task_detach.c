// SPDX-License-Identifier: Apache-2.0
// detach and omp_fulfill_event: before, during and after the task, from tasks and foreign threads.
// Without optimisation: GCC 12 otherwise reads the event before the task's creation has written it.
// test: flags=-O0
#include "support/check.h"

#include <pthread.h>
#include <stdint.h>

static void fulfilled_by_itself(void) {
  int runs = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 20; i++) {
      omp_event_handle_t event;
#pragma omp task detach(event) shared(runs)
      {
#pragma omp atomic
        runs++;
        omp_fulfill_event(event);
      }
    }
#pragma omp taskwait
    CHECK_EQ(runs, 20);
  }
}

// The successor may start only after the event, long after the detached task's code has ended.
static void fulfilled_by_a_sibling(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
    omp_event_handle_t event;
    int value = 0;
#pragma omp task detach(event) depend(out : value) shared(value)
    {
#pragma omp atomic
      value += 1;
    }
#pragma omp task shared(value) depend(in : value)
    CHECK_EQ(value, 11);
#pragma omp task shared(value)
    {
#pragma omp atomic
      value += 10;
      omp_fulfill_event(event);
    }
#pragma omp taskwait
  }
}

static void fulfilled_before_it_runs(void) {
  int done = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
    int gate = 0;
#pragma omp task depend(out : gate) shared(gate)
    gate = 1;
#pragma omp task detach(event) depend(in : gate) shared(done, gate)
    done = gate;
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK_EQ(done, 1);
  }
}

struct request {
  omp_event_handle_t event;
  int* value;
};

static void* fulfil(void* argument) {
  struct request* request = (struct request*)argument;
  *request->value = 5;
  omp_fulfill_event(request->event);
  return NULL;
}

static bool no_dependences_alone(void) {
  return team_size() == 1 &&
         known_bug("libomp", "in a team of one no task waits for a detached predecessor");
}

static void fulfilled_by_a_foreign_thread(void) {
  if (no_dependences_alone()) {
    return;
  }
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 5; i++) {
    omp_event_handle_t event;
    int value = 0;
#pragma omp task detach(event) depend(out : value)
    {
    }
    struct request request = {event, &value};
    pthread_t thread;
    pthread_create(&thread, NULL, fulfil, &request);
#pragma omp task depend(in : value) shared(value)
    CHECK_EQ(value, 5);
#pragma omp taskwait
    pthread_join(thread, NULL);
  }
}

static void in_a_taskgroup(void) {
  int done = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t events[10];
#pragma omp taskgroup
    {
      for (int i = 0; i < 10; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event)
        {
        }
        events[i] = event;
      }
#pragma omp task shared(events, done)
      for (int i = 0; i < 10; i++) {
        done++;
        omp_fulfill_event(events[i]);
      }
    }
    CHECK_EQ(done, 10);
  }
}

static void at_the_end_of_a_region(void) {
  for (int round = 0; round < 10; round++) {
    omp_event_handle_t event;
    int done = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
      {
#pragma omp task detach(event)
        {
        }
#pragma omp task shared(done) firstprivate(event)
        {
          done = 1;
          omp_fulfill_event(event);
        }
      }
    }
    CHECK_EQ(done, 1);
  }
}

static void undeferred_and_detached(void) {
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
    int value = 0;
#pragma omp task detach(event) if (0) shared(value)
    {
      value = 3;
      omp_fulfill_event(event);
    }
    CHECK_EQ(value, 3);
  }
}

static void test(void) {
  fulfilled_by_itself();
  fulfilled_by_a_sibling();
  fulfilled_before_it_runs();
  fulfilled_by_a_foreign_thread();
  in_a_taskgroup();
  at_the_end_of_a_region();
  undeferred_and_detached();
}
