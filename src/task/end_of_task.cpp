// SPDX-License-Identifier: Apache-2.0
#include "kasuri/detail/end_of_task.hpp"

#include "platform/base/fatal.hpp"
#include "sched/worker/os_thread.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

std::exception_ptr exception_of_task() noexcept {
  std::exception_ptr e = std::current_exception();
  if (e == nullptr) sched::thread_ends_in_task();  // a foreign exception has no pointer
  return e;
}

void destructor_threw() noexcept {
  platform::warn(
      "the destructor of a closure threw when its task had ended; nobody can catch that, and the "
      "program ends by std::terminate");
  std::terminate();
}

}  // namespace detail
}  // namespace kasuri
