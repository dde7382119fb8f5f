// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The common model over OpenCilk: needs its compiler's -fopencilk.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cilk/cilk.h>

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kasuri/model.hpp"

namespace kasuri::model {

/// cilk_spawn and cilk_sync. A function waits for its children before it returns, so that a group,
/// whose spawn is a function, starts its children when it waits for them.
struct opencilk_spawns {
  static constexpr const char* name = "spawn";  ///< of this way

  /// Children that wait() starts.
  class group {
   public:
    /// Keeps f.
    template <class F>
    void spawn(F f) {
      children_.emplace_back(std::move(f));
    }
    /// Spawns all and waits.
    void wait() {
      for (std::function<void()>& child : children_) cilk_spawn child();
      cilk_sync;
      children_.clear();
    }

   private:
    std::vector<std::function<void()>> children_;
  };

  /// g goes on beside f.
  template <class F, class G>
  static results_of<F, G> fork_join(F f, G g) {
    results_of<F, G> both;
    // The child runs first: the spawned call is the one that a thief leaves behind.
    both.second = cilk_spawn detail::call(g);
    both.first = detail::call(f);
    cilk_sync;
    return both;
  }
};

/// Its runtime reads the number of workers at its first use.
struct opencilk_system {
  using ways = model::ways<opencilk_spawns>;            ///< the one way
  static std::string version() { return __VERSION__; }  ///< of the compiler

  /// Starts nothing yet.
  explicit opencilk_system(int workers) {
    ::setenv("CILK_NWORKERS", std::to_string(workers).c_str(), 1);
  }

  /// Calls f.
  template <class F>
  void run(F&& f) {
    f();
  }
};

}  // namespace kasuri::model
