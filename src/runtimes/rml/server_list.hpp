// SPDX-License-Identifier: Apache-2.0
#pragma once

// The servers of this process: one for each copy of oneTBB that has started. The list is there for
// fork(), and for the monitor, which has them give way. When the process exits nobody calls oneTBB
// from there any more: its objects end.

#include <atomic>
#include <cstdint>

#include "platform/thread/mutex.hpp"

namespace kasuri::runtimes::rml {

class server;

class server_list {
 public:
  void add(server& s) noexcept;
  void remove(server& s) noexcept;

 private:
  void unlink(server& s) noexcept;
  static void at_exit() noexcept;
  static void give_way(bool work_waits) noexcept;
  void wait_for_those_who_leave() noexcept;
  static void before_fork() noexcept;
  static void after_fork_in_parent() noexcept;
  static void after_fork_in_child() noexcept;

  platform::mutex lock_;  // taken before a server's own
  server* first_ = nullptr;
  bool registered_ = false;
  bool exits_ = false;
  // The thread that calls oneTBB in give_way, under the lock; 0: none does. Only that thread itself
  // finds its own number here: its call may be what ends a connection.
  std::atomic<std::int32_t> giver_{0};
};

/// Never destroyed.
server_list& servers() noexcept;

}  // namespace kasuri::runtimes::rml
