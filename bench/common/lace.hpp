// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lace.h>
#include <lace_config.h>

#include <cstddef>
#include <string>

namespace bench {

/// Lace's workers are threads of its own; RUN() hands them a task and waits.
class lace_system {
 public:
  static constexpr const char* name = "lace";
  static std::string version() { return BENCH_LACE_VERSION; }

  explicit lace_system(int workers) {
    lace_start(static_cast<unsigned>(workers), deque_slots);
  }
  ~lace_system() { lace_stop(); }
  lace_system(const lace_system&) = delete;
  lace_system& operator=(const lace_system&) = delete;

  template <class F>
  void run(F&& f) {
    f();
  }

 private:
  // For a million tasks at once: it aborts when full. It touches them all when it starts, so a
  // growth of memory measured later does not hold them.
  static constexpr std::size_t deque_slots = std::size_t{1} << 20;
};

}  // namespace bench
