// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The common model over Taskflow's task groups: needs its headers.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <taskflow/taskflow.hpp>
#include <utility>

#include "kasuri/model.hpp"

namespace kasuri::model {

/// tf::TaskGroup.
struct taskflow_groups {
  static constexpr const char* name = "task_group";  ///< of this way

  /// A TaskGroup of the executor.
  class group {
   public:
    group() : tasks_(executor->task_group()) {}
    /// Queues it.
    template <class F>
    void spawn(F f) {
      tasks_.silent_async(std::move(f));
    }
    /// Runs tasks until all have ended.
    void wait() { tasks_.corun(); }

   private:
    tf::TaskGroup tasks_;
  };

  /// Where groups come from: programs do not hand it down.
  inline static std::unique_ptr<tf::Executor> executor;
};

/// An executor of the workers asked for; the caller waits outside.
class taskflow_system {
 public:
  using ways = model::ways<taskflow_groups>;              ///< the one way
  static std::string version() { return tf::version(); }  ///< of the headers

  /// Starts the executor.
  explicit taskflow_system(int workers) {
    taskflow_groups::executor = std::make_unique<tf::Executor>(static_cast<std::size_t>(workers));
  }
  ~taskflow_system() { taskflow_groups::executor.reset(); }
  taskflow_system(const taskflow_system&) = delete;
  taskflow_system& operator=(const taskflow_system&) = delete;

  /// Calls f on a worker.
  template <class F>
  void run(F&& f) {
    taskflow_groups::executor->async([&f] { f(); }).get();
  }
};

}  // namespace kasuri::model
