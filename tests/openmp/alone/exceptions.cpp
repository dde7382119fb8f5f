// SPDX-License-Identifier: Apache-2.0
// Exceptions of a program whose C++ library is another copy than the one inside Kasuri's library:
// thrown in tasks, carried by Kasuri, caught here; and the counts of this copy are right all along.
#include <omp.h>
#include <pthread.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include <kasuri/kasuri.hpp>

namespace {

int wrong = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("wrong: %s\n", what);
  ++wrong;
}

void expect_quiet(const char* when) {
  expect(std::uncaught_exceptions() == 0, when);
  expect(std::current_exception() == nullptr, when);
}

/// Thrown by the program, kept by Kasuri, thrown again by Kasuri.
void of_the_program() {
  for (int i = 0; i != 100; ++i) {
    try {
      kasuri::parallel_invoke([] { throw std::runtime_error("left"); }, [] {});
      expect(false, "an exception of a task arrives");
    } catch (const std::exception& e) {
      expect(std::string(e.what()) == "left", "it is the one that was thrown");
      expect(std::uncaught_exceptions() == 0, "a handled exception is not on its way");
    }
    expect_quiet("after an exception of the program");
  }
}

/// Thrown by Kasuri.
void of_kasuri() {
  try {
    kasuri::initialize({.workers = -7});
    expect(false, "a wrong argument is refused");
  } catch (const std::logic_error& e) {
    expect(std::string(e.what()).find("kasuri::initialize") == 0, "the message names the function");
  }
  expect_quiet("after an exception of Kasuri");
}

/// A task that waits while it handles an exception, and others that throw meanwhile.
void handled_across_waits() {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i != 50; ++i) {
#pragma omp task firstprivate(i)
    try {
      throw i;
    } catch (int mine) {
#pragma omp task
      try {
        throw std::string("other");
      } catch (const std::string&) {
      }
#pragma omp taskwait
      expect(mine == i && std::uncaught_exceptions() == 0, "a wait keeps the exception handled");
      try {
        throw;
      } catch (int again) {
        expect(again == i, "it is thrown again after the wait");
      }
    }
  }
  expect_quiet("after the tasks");
}

void* leave(void*) {
#pragma omp parallel num_threads(2)
  expect(omp_get_num_threads() <= 2, "a region in the thread");
  pthread_exit(nullptr);
}

}  // namespace

int main() {
  of_kasuri();
  of_the_program();
  handled_across_waits();
  pthread_t thread;
  pthread_create(&thread, nullptr, leave, nullptr);
  pthread_join(thread, nullptr);
  std::puts(wrong == 0 ? "right" : "not right");
  return wrong != 0;
}
