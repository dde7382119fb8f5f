// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tasks inside a simulated rank: one worker in virtual time. A task that blocks keeps its
// stack, and the worker goes on with a loop on another, as in the pool.

#include <deque>
#include <vector>

#include "cluster/base/coherence.hpp"
#include "cluster/sched/host/pool_side.hpp"
#include "cluster/sched/scheduler.hpp"
#include "cluster/transport/simulated/simulated.hpp"
#include "kasuri/global/detail/fork.hpp"

namespace kasuri::cluster {

class strands final : public pool_side {
 public:
  strands(virtual_time& time, transport& net) : time_(time), net_(net) {}

  void serve(scheduler& s) noexcept { scheduler_ = &s; }

  void block(publish p, void* arg) override;
  void make_ready(void* task) override { ready_.push_back(static_cast<task_stack*>(task)); }
  global::detail::fork_chain& chain() override { return current_->chain; }
  void enter(void (*call)(void*), void* arg) override;

  [[nodiscard]] bool shares_process() const noexcept override { return true; }
  bool inside() const noexcept override { return current_ != nullptr; }

  void push(global::detail::local_frame* f) noexcept;
  /// True: it was still queued.
  bool pop_or_wait(global::detail::local_frame* f) noexcept;

 private:
  struct task_stack {
    strand* context = nullptr;
    strands* home = nullptr;
    global::detail::fork_chain chain;
    task_stack* next = nullptr;
  };

  static void loop(void* self);
  task_stack* next_ready();
  void run_frame(global::detail::local_frame* f);
  global::detail::local_frame* take_frame() noexcept;
  void unlink(global::detail::local_frame* f) noexcept;

  virtual_time& time_;
  transport& net_;
  scheduler* scheduler_ = nullptr;
  searcher search_;
  task_stack* current_ = nullptr;
  task_stack* free_ = nullptr;
  std::deque<task_stack> stacks_;
  std::deque<task_stack*> ready_;
  global::detail::local_frame* newest_ = nullptr;
};

/// One rank of a simulation with its scheduler: made by the rank's own code, all ranks together.
class simulated_rank {
 public:
  simulated_rank(simulation& all, int rank, coherence& memory, const scheduler_options& options);
  ~simulated_rank();
  simulated_rank(const simulated_rank&) = delete;
  simulated_rank& operator=(const simulated_rank&) = delete;

  cluster::scheduler& scheduler() noexcept { return scheduler_; }

 private:
  simulation& all_;
  const int rank_;
  strands tasks_;
  cluster::scheduler scheduler_;
};

}  // namespace kasuri::cluster
