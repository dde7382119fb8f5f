// SPDX-License-Identifier: Apache-2.0
// Threads that sleep in the kernel while they should run tasks: in which system call, and from
// where in the program it was called. Read from /proc by the watcher's thread: a sleeping thread
// takes no samples.
#pragma once

#include <cstdint>  // for uint64_t
#include <map>      // for map
#include <tuple>    // for tuple

#include "profile/base/sites.hpp"

namespace kasuri::profile {

class json;
class thread;

class system_waits {
 public:
  /// Whether the thread sleeps now; if so, `seconds` are booked to where it does. `in_pool`: it is
  /// a worker whose task runs.
  bool look(int tid, bool in_pool, site_id site, double seconds);

  /// Whether the thread sleeps now.
  static bool sleeps(int tid);

  void write(json& to) const;

 private:
  // program counter of the call, caller in the program, number of the call, site, in the pool
  using key = std::tuple<std::uintptr_t, std::uintptr_t, long, site_id, bool>;
  std::map<key, double> seconds_;
};

}  // namespace kasuri::profile
