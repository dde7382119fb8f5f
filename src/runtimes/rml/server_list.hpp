// SPDX-License-Identifier: Apache-2.0
#pragma once

// The servers of this process: one for each copy of oneTBB that has started. The list is there for
// fork(). Its lock is never held in a call of oneTBB or the loader.

#include "platform/thread/mutex.hpp"

namespace kasuri::runtimes::rml {

class server;

class server_list {
 public:
  void add(server& s) noexcept;
  void remove(server& s) noexcept;

 private:
  void unlink(server& s) noexcept;
  void wait_for_those_who_leave() noexcept;
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
