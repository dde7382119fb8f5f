// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Eigen's tensors on Kasuri: a thread pool for Eigen::ThreadPoolDevice. Needs Eigen's headers, and
/// EIGEN_USE_THREADS defined before the first of them, as Eigen asks of programs with such a
/// device.
///
/// \code
/// kasuri::eigen_pool pool;
/// const Eigen::ThreadPoolDevice device(&pool, pool.NumThreads());
/// c.device(device) = a.contract(b, dims);
/// \endcode

#include "kasuri/detail/needs_cxx20.hpp"

#include <unsupported/Eigen/CXX11/ThreadPool>

#include <functional>
#include <utility>

#include "kasuri/future.hpp"
#include "kasuri/runtime.hpp"
#include "kasuri/task.hpp"

namespace kasuri {

/// The pool of the process, as Eigen asks for one. Any number of objects may be there; all share
/// the workers.
///
/// Eigen waits for its closures by blocking the OS thread. A caller outside of tasks sleeps that
/// way. A task that evaluates on such a device holds its worker meanwhile, until the monitor lends
/// a spare after some milliseconds: call it inside of kasuri::blocking.
/// @par Cancellation: none, as Eigen waits for each closure that it has queued.
/// @par Thread-safety: any thread.
class eigen_pool final : public Eigen::ThreadPoolInterface {
 public:
  /// Queues a closure as a task of its own. An exception that leaves it ends the program by
  /// std::terminate.
  /// @throw std::bad_alloc when there is no memory for the task; it does not run then.
  void Schedule(std::function<void()> f) override {
    static_cast<void>(async([f = std::move(f)]() noexcept { f(); }));
  }
  /// kasuri::num_workers().
  int NumThreads() const override { return num_workers(); }
  /// The slot of the caller, a number below NumThreads(); -1 outside of tasks, and on a spare
  /// thread, whose slot may lie above.
  int CurrentThreadId() const override {
    const int slot = this_task::slot();
    return slot < num_workers() ? slot : -1;
  }
};

}  // namespace kasuri
