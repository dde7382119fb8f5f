// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tasks inside a process: those of the pool, whose idle workers look for work of other ranks,
// one at a time.

#include "cluster/sched/host/pool_side.hpp"
#include "cluster/sched/scheduler.hpp"
#include "sched/outside/outside.hpp"

namespace kasuri::cluster {

class pool_tasks final : public pool_side, public sched::outside {
 public:
  pool_tasks() = default;
  /// Idle workers look for this scheduler from now on.
  void serve(scheduler& s);
  /// ... and no more. Between runs.
  void stop();

  void block(publish p, void* arg) override;
  void make_ready(void* task) override;
  global::detail::fork_chain& chain() override;
  bool inside() const override;
  void enter(void (*call)(void*), void* arg) override;
  void let_others_run() override;
  [[nodiscard]] stack_range stack_of_caller() const override;

  bool active() const noexcept override;
  kasuri::detail::frame* look() noexcept override;
  bool glance() noexcept override;
  void leave() noexcept override;
  std::uint64_t rest() noexcept override;
  void nap(std::uint64_t ns) noexcept override;
  void interrupt() noexcept override;

 private:
  scheduler* scheduler_ = nullptr;
  searcher search_;  // of the worker that looks
};

}  // namespace kasuri::cluster
