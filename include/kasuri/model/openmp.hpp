// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The common model over OpenMP's tasks: needs a compiler's -fopenmp.

#include "kasuri/detail/needs_cxx20.hpp"

#include <omp.h>

#include <string>
#include <utility>

#include "kasuri/model.hpp"

namespace kasuri::model {

/// task and taskwait.
struct openmp_tasks {
  static constexpr const char* name = "task";  ///< of this way

  /// The children of the current task.
  struct group {
    /// A task with a copy of f.
    template <class F>
    void spawn(F f) {
#pragma omp task firstprivate(f)
      f();
    }
    /// A taskwait.
    void wait() {
#pragma omp taskwait
    }
  };
};

/// One parallel region around the whole program; one thread of it starts the tasks.
class openmp_system {
 public:
  using ways = model::ways<openmp_tasks>;  ///< the one way
  /// The specification's date.
  static std::string version() { return "OpenMP " + std::to_string(_OPENMP); }

  /// Starts nothing yet.
  explicit openmp_system(int workers) : workers_(workers) { omp_set_dynamic(0); }

  /// Calls f inside of the region.
  template <class F>
  void run(F&& f) {
#pragma omp parallel num_threads(workers_)
#pragma omp single
    f();
  }

 private:
  int workers_;
};

}  // namespace kasuri::model
