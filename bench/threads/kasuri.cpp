// SPDX-License-Identifier: Apache-2.0
#include "common/kasuri.hpp"

#include <kasuri/kasuri.h>

#include "threads/problem.hpp"

namespace {

/// The C API behind the names that every thread system has here.
struct kasuri_threads : bench::kasuri_system {
  using kasuri_system::kasuri_system;
  using thread = kasuri_thread_t;

  static void check(int code) {
    if (code != KASURI_SUCCESS) bench::fail(std::string("kasuri: ") + kasuri_strerror(code), 1);
  }
  static thread create(void* (*entry)(void*), void* argument) {
    thread t;
    check(kasuri_thread_create(&t, entry, argument, KASURI_CHILD_FIRST));
    return t;
  }
  static void join(thread t) { check(kasuri_thread_join(t, nullptr)); }
  static void yield() { kasuri_yield(); }
};

}  // namespace

int main(int argc, char** argv) {
  using namespace bench::threads;
  return bench::run<kasuri_threads, problem>(argc, argv, solver<kasuri_threads>::variants());
}
