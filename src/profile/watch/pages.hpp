// SPDX-License-Identifier: Apache-2.0
// On which NUMA nodes the program's memory lies. The watcher's thread.
#pragma once

#include <cstdint>      // for uint64_t
#include <string_view>  // for string_view
#include <vector>       // for vector

namespace kasuri::profile {

class json;

class pages {
 public:
  /// Reads it, where there are several nodes. What counts is the look that saw most: programs give
  /// memory back before they end.
  void look();
  /// The line of a mapping in /proc/PID/numa_maps; mappings of files are left out.
  static void add_line(std::string_view line, std::vector<std::uint64_t>& kib_by_node);

  void write(json& to) const;

 private:
  std::vector<std::uint64_t> kib_by_node_;  // by index: numa/nodes.hpp
};

}  // namespace kasuri::profile
