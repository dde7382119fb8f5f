// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The common model over HPX's local runtime: needs its headers and library.

#include "kasuri/detail/needs_cxx20.hpp"

#include <hpx/hpx_start.hpp>
#include <hpx/include/async.hpp>
#include <hpx/include/run_as.hpp>
#include <hpx/version.hpp>

#include <string>
#include <utility>
#include <vector>

#include "kasuri/model.hpp"

namespace kasuri::model {

/// hpx::async and futures.
struct hpx_futures {
  static constexpr const char* name = "async";  ///< of this way

  /// Futures of the children.
  class group {
   public:
    /// An asynchronous call.
    template <class F>
    void spawn(F f) {
      children_.push_back(hpx::async(std::move(f)));
    }
    /// Waits for all.
    void wait() {
      hpx::wait_all(children_);
      children_.clear();
    }

   private:
    std::vector<hpx::future<void>> children_;
  };

  /// g goes on beside f.
  template <class F, class G>
  static results_of<F, G> fork_join(F f, G g) {
    auto second = hpx::async([&g] { return detail::call(g); });
    auto first = detail::call(f);
    return {std::move(first), second.get()};
  }
};

/// The local runtime: no networking.
class hpx_system {
 public:
  using ways = model::ways<hpx_futures>;                                  ///< the one way
  static std::string version() { return hpx::full_version_as_string(); }  ///< of the library

  /// Starts the runtime.
  explicit hpx_system(int workers) {
    static char program[] = "model";
    static char* words[] = {program, nullptr};
    hpx::local::init_params wanted;
    wanted.cfg = {"hpx.os_threads=" + std::to_string(workers)};
    hpx::local::start(nullptr, 1, words, wanted);
  }
  ~hpx_system() {
    hpx::post([] { hpx::local::finalize(); });
    hpx::local::stop();
  }
  hpx_system(const hpx_system&) = delete;
  hpx_system& operator=(const hpx_system&) = delete;

  /// Calls f on one of HPX's threads.
  template <class F>
  void run(F&& f) {
    hpx::run_as_hpx_thread([&f] { f(); });
  }
};

}  // namespace kasuri::model
