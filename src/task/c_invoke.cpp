// SPDX-License-Identifier: Apache-2.0
// The C face of fork-join, and of tasks that keep their OS thread.

#include "context/stack.hpp"
#include "kasuri/invoke.hpp"
#include "kasuri/kasuri.h"
#include "platform/base/expect.hpp"
#include "sched/worker/worker.hpp"

namespace {

/// The task on a stack keeps its OS thread; however its function ends.
class keeping {
 public:
  explicit keeping(kasuri::context::stack& s) noexcept : stack_(s) {
    stack_.keeps_os_thread = true;
  }
  ~keeping() { stack_.keeps_os_thread = false; }
  keeping(const keeping&) = delete;
  keeping& operator=(const keeping&) = delete;

 private:
  kasuri::context::stack& stack_;
};

}  // namespace

extern "C" {

int kasuri_invoke(void (*first)(void*), void* first_arg, void (*second)(void*), void* second_arg) {
  if (first == nullptr || second == nullptr) return KASURI_ERROR_INVALID;
  kasuri::parallel_invoke([=] { first(first_arg); }, [=] { second(second_arg); });
  return KASURI_SUCCESS;
}

int kasuri_keep_os_thread(void (*fn)(void*), void* arg) {
  namespace sched = kasuri::sched;
  if (fn == nullptr) return KASURI_ERROR_INVALID;
  const sched::worker* const w = sched::current();
  kasuri::context::stack* const here = w == nullptr ? nullptr : w->face.stack;
  // A stack with a home goes on there anyway, and its worker need not sleep meanwhile.
  if (here == nullptr || here->home != nullptr || here->keeps_os_thread) {
    fn(arg);
    return KASURI_SUCCESS;
  }
  const keeping stay(*here);
  fn(arg);
  KASURI_EXPECT(cheap, sched::current() == w && w->face.stack == here,
                "worker %d goes on with what worker %d was to keep", sched::index_of_caller(),
                w->index);
  return KASURI_SUCCESS;
}

}  // extern "C"
