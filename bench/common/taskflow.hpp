// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <taskflow/taskflow.hpp>

namespace bench {

class taskflow_system {
 public:
  static constexpr const char* name = "taskflow";
  static std::string version() { return tf::version(); }

  explicit taskflow_system(int workers) {
    executor_ = new tf::Executor(static_cast<std::size_t>(workers));
  }
  ~taskflow_system() { delete executor_; }
  taskflow_system(const taskflow_system&) = delete;
  taskflow_system& operator=(const taskflow_system&) = delete;

  template <class F>
  void run(F&& f) {
    executor_->async([&] { f(); }).get();
  }

  /// The executor that the variants make their groups from: they are plain functions.
  static tf::Executor& executor() { return *executor_; }

 private:
  inline static tf::Executor* executor_ = nullptr;
};

}  // namespace bench
