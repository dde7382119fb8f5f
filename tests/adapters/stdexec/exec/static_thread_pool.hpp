// SPDX-License-Identifier: Apache-2.0
#pragma once

// Stands in the place of stdexec's header of that name, so that its examples run on Kasuri.

#include <kasuri/adapters/stdexec.hpp>

namespace experimental::execution {

struct static_thread_pool {
  explicit static_thread_pool(int) {}
  static kasuri::senders::scheduler get_scheduler() { return kasuri::senders::get_scheduler(); }
  static void request_stop() {}  // the pool of the process goes on
};

}  // namespace experimental::execution

namespace exec = experimental::execution;
