// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/version.h>

#include <cstddef>
#include <string>

namespace bench {

/// An arena of exactly the workers asked for, the caller among them.
class onetbb_system {
 public:
  static constexpr const char* name = "onetbb";
  static std::string version() { return TBB_runtime_version(); }

  explicit onetbb_system(int workers)
      : limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(workers)),
        arena_(workers) {}

  template <class F>
  void run(F&& f) {
    arena_.execute([&] { f(); });
  }

 private:
  tbb::global_control limit_;
  tbb::task_arena arena_;
};

}  // namespace bench
