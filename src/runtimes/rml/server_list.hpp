// SPDX-License-Identifier: Apache-2.0
#pragma once

// The servers of this process: one for each copy of oneTBB that has started. The list is there for
// fork().

#include "platform/thread/mutex.hpp"

namespace kasuri::runtimes::rml {

class server;

class server_list {
 public:
  void add(server& s) noexcept;
  void remove(server& s) noexcept;

 private:
  static void before_fork() noexcept;
  static void after_fork_in_parent() noexcept;
  static void after_fork_in_child() noexcept;

  platform::mutex lock_;  // taken before a server's own
  server* first_ = nullptr;
  bool registered_ = false;
};

/// Never destroyed.
server_list& servers() noexcept;

}  // namespace kasuri::runtimes::rml
