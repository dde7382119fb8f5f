// SPDX-License-Identifier: Apache-2.0
#pragma once

// The scheduler of a rank asks this of the part that runs tasks inside the process: the pool, or
// the strands of a simulated rank.

#include "cluster/base/coherence.hpp"
#include "kasuri/global/detail/fork_chain.hpp"

namespace kasuri::cluster {

class pool_side : public task_host {
 public:
  /// Makes a task known to the threads that will wake it, and returns true; false: it need not
  /// wait.
  using publish = bool (*)(void* arg, void* task) noexcept;

  /// The calling task waits until make_ready(task); meanwhile others run.
  virtual void block(publish p, void* arg) = 0;
  /// From any thread of the process.
  virtual void make_ready(void* task) = 0;

  /// The chain of the calling stack.
  virtual global::detail::fork_chain& chain() = 0;

  /// Whether all ranks are in this process, as in a simulation: addresses mean the same to all.
  [[nodiscard]] virtual bool shares_process() const noexcept { return false; }

  /// Whether the caller is a task.
  virtual bool inside() const = 0;

  /// Runs call(arg) as a task.
  virtual void enter(void (*call)(void*), void* arg) = 0;
};

}  // namespace kasuri::cluster
