// SPDX-License-Identifier: Apache-2.0
// Tasks that are cancelled before they begin: what was copied for them is destroyed, as often as it
// was made.
// test: env=OMP_CANCELLATION=true
#include "support/check.h"

namespace {

int alive[instances];

/// Counts the objects of the instance that made the first of them.
class counted {
 public:
  explicit counted(int where) : where_(where) { change(1); }
  counted(const counted& other) : where_(other.where_), payload_(other.payload_) { change(1); }
  counted& operator=(const counted&) = default;
  ~counted() { change(-1); }
  int payload() const { return payload_; }

 private:
  void change(int by) {
    CHECK(payload_ == 42);
#pragma omp atomic
    alive[where_] += by;
  }

  int where_;
  int payload_ = 42;
};

int alive_now() {
  int n;
#pragma omp atomic read
  n = alive[instance()];
  return n;
}

void cancelled_group() {
  int ran = 0;
  const counted object(instance());
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
      for (int i = 0; i < 4000; i++) {
#pragma omp task firstprivate(object) shared(ran)
        {
#pragma omp atomic
          ran += object.payload() / 42;
          if (i == 100) {
#pragma omp cancel taskgroup
          }
        }
      }
    }
  }
  CHECK(ran >= 1 && ran <= 4000);
  CHECK_EQ(alive_now(), 1);
}

// The creator cancels: what it creates from then on, of every kind, need not run.
void created_after_the_cancellation() {
  int ran = 0, order = 0;
  const counted object(instance());
#pragma omp parallel
#pragma omp single
#pragma omp task shared(ran, order, object)
  {
#pragma omp taskgroup
    {
#pragma omp task shared(order)
      {
#pragma omp cancel taskgroup
      }
#pragma omp taskwait
      for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(object) shared(ran)
        ran += object.payload();
#pragma omp task if (0) firstprivate(object) shared(ran)
        ran += object.payload();
#pragma omp task final(1) firstprivate(object) shared(ran)
        ran += object.payload();
#pragma omp task depend(inout : order) firstprivate(object) shared(ran, order)
        ran += object.payload();
#pragma omp task priority(2) firstprivate(object) shared(ran)
        ran += object.payload();
#pragma omp taskloop num_tasks(7) firstprivate(object) shared(ran) nogroup
        for (int k = 0; k < 20; k++) {
          ran += object.payload();
        }
      }
    }
  }
  CHECK_EQ(alive_now(), 1);
}

void cancelled_parallel() {
  const counted object(instance());
#pragma omp parallel
  {
    for (int i = 0; i < 200; i++) {
#pragma omp task firstprivate(object)
      CHECK(object.payload() == 42);
    }
#pragma omp cancel parallel
    for (int i = 0; i < 200; i++) {
#pragma omp task firstprivate(object)
      CHECK(object.payload() == 42);
    }
  }
  CHECK_EQ(alive_now(), 1);
}

void cancelled_taskloop() {
  int ran = 0;
  const counted object(instance());
  if (known_bug("libomp", "a cancelled taskloop of many tasks never ends")) {
    return;
  }
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(500) firstprivate(object) shared(ran)
  for (int i = 0; i < 500; i++) {
#pragma omp atomic
    ran += object.payload() / 42;
#pragma omp cancel taskgroup
  }
  CHECK(ran >= 1 && ran <= 500);
  CHECK_EQ(alive_now(), 1);
}

// Chains of dependences of which the last tasks are dropped.
void cancelled_chain() {
  const counted object(instance());
  int cell = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < 300; i++) {
#pragma omp task depend(inout : cell) firstprivate(object) shared(cell)
    {
      cell += object.payload() / 42;
      if (i == 10) {
#pragma omp cancel taskgroup
      }
    }
  }
  CHECK(cell >= 11 && cell <= 300);
  CHECK_EQ(alive_now(), 1);
}

// A task that waits for an event which only its own code would have fulfilled.
void dropped_with_an_event() {
  int ran = 0;
  if (known_bug("libomp", "waits for the event of a task that it has dropped")) {
    return;
  }
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
    for (int i = 0; i < 100; i++) {
      omp_event_handle_t event;
#pragma omp task detach(event) shared(ran)
      {
#pragma omp atomic
        ran++;
        omp_fulfill_event(event);
      }
      if (i == 50) {
#pragma omp task
        {
#pragma omp cancel taskgroup
        }
      }
    }
  }
  CHECK(ran <= 100);
}

}  // namespace

static void test() {
  if (omp_get_thread_num() < instances) {
    for (int round = 0; round < 3; round++) {
      cancelled_group();
      created_after_the_cancellation();
      cancelled_parallel();
      cancelled_taskloop();
      cancelled_chain();
      dropped_with_an_event();
    }
  }
}
