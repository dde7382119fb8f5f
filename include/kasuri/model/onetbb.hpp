// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The common model over oneTBB: needs its headers, and a program linked with it.

#include "kasuri/detail/needs_cxx20.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/version.h>

#include <cstddef>
#include <string>
#include <utility>

#include "kasuri/model.hpp"

namespace kasuri::model {

/// tbb::task_group.
struct onetbb_groups {
  static constexpr const char* name = "task_group";  ///< of this way

  /// A task_group.
  class group {
   public:
    /// Queues it.
    template <class F>
    void spawn(F f) {
      tasks_.run(std::move(f));
    }
    /// Waits for all.
    void wait() { tasks_.wait(); }

   private:
    tbb::task_group tasks_;
  };
};

/// tbb::parallel_invoke.
struct onetbb_closures {
  static constexpr const char* name = "parallel_invoke";  ///< of this way
  using group = onetbb_groups::group;                     ///< where a program needs one

  /// parallel_invoke(g, f): it calls its last argument itself and spawns the others.
  template <class F, class G>
  static results_of<F, G> fork_join(F f, G g) {
    results_of<F, G> both;
    tbb::parallel_invoke([&both, &g] { both.second = detail::call(g); },
                         [&both, &f] { both.first = detail::call(f); });
    return both;
  }
};

/// An arena of exactly the workers asked for, the caller among them.
class onetbb_system {
 public:
  using ways = model::ways<onetbb_closures, onetbb_groups>;       ///< both
  static std::string version() { return TBB_runtime_version(); }  ///< of the library

  /// Makes the arena.
  explicit onetbb_system(int workers)
      : limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(workers)),
        arena_(workers) {}

  /// Calls f in the arena.
  template <class F>
  void run(F&& f) {
    arena_.execute([&f] { f(); });
  }

 private:
  tbb::global_control limit_;
  tbb::task_arena arena_;
};

}  // namespace kasuri::model
