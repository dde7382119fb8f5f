// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

#include <string>

namespace bench {

/// What base lines of the C library share: OS threads on as many CPUs as there are workers.
class os_threads {
 public:
  static constexpr const char* name = "pthread";
  static std::string version() { return ""; }

  /// Binds the caller, and the threads that it starts, to the first CPUs that it may use.
  explicit os_threads(int workers) {
    cpu_set_t usable;
    sched_getaffinity(0, sizeof usable, &usable);
    for (int cpu = 0, kept = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &usable) && ++kept > workers) CPU_CLR(cpu, &usable);
    }
    sched_setaffinity(0, sizeof usable, &usable);
  }

  template <class F>
  void run(F&& f) {
    f();
  }
};

}  // namespace bench
