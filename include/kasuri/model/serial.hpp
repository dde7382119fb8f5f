// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// No system at all: plain calls on the calling thread.

#include "kasuri/detail/needs_cxx20.hpp"

#include <string>

#include "kasuri/model.hpp"

namespace kasuri::model {

/// A spawn is a call.
struct serial_calls {
  static constexpr const char* name = "call";  ///< of this way

  /// Children that have run when spawn returns.
  struct group {
    /// Calls f.
    template <class F>
    void spawn(F f) {
      f();
    }
    /// Nothing is left to wait for.
    void wait() {}
  };

  /// Calls both.
  template <class F, class G>
  [[gnu::always_inline]] static results_of<F, G> fork_join(F f, G g) {
    auto first = detail::call(f);
    return {std::move(first), detail::call(g)};
  }
};

/// The caller is the only worker.
struct serial_system {
  using ways = model::ways<serial_calls>;      ///< the one way
  static constexpr int most_workers = 1;       ///< more are not possible
  static std::string version() { return ""; }  ///< nothing has a version

  /// Starts nothing.
  explicit serial_system(int) {}

  /// Calls f.
  template <class F>
  void run(F&& f) {
    f();
  }
};

}  // namespace kasuri::model
