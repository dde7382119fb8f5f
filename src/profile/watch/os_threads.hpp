// SPDX-License-Identifier: Apache-2.0
// What the kernel says of each thread of the process: processor time, time for which it was ready
// and did not run, switches, page faults. The watcher's thread.
#pragma once

#include <cstdint>  // for uint64_t
#include <map>      // for map
#include <string>   // for string

namespace kasuri::profile {

class json;

class os_threads {
 public:
  struct counts {
    std::string name;
    double processor = 0;  // seconds
    double run_delay = 0;  // seconds ready and not running
    std::uint64_t minor_faults = 0;
    std::uint64_t major_faults = 0;
    std::uint64_t switches = 0;  // it gave the processor away
    std::uint64_t involuntary_switches = 0;
  };

  /// Reads them all. Those of threads that have ended stay as they were last seen.
  void look();

  const std::map<int, counts>& all() const noexcept { return all_; }
  void write(json& to) const;

 private:
  std::map<int, counts> all_;
};

}  // namespace kasuri::profile
