// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#include "arguments.hpp"

/// How far the resident memory of this process rises while a piece of code runs.
namespace bench {

class memory_growth {
 public:
  /// Counts from here: forgets the peak reached so far.
  void start() {
    std::ofstream reset("/proc/self/clear_refs");
    reset << "5\n" << std::flush;  // proc(5): resets the peak resident set size
    if (!reset) fail("/proc/self/clear_refs cannot be written: peak memory cannot be measured", 1);
    before_ = status_bytes("VmRSS:");
  }

  /// Bytes between the memory at start() and the highest point since.
  double bytes() const {
    const double growth = status_bytes("VmHWM:") - before_;
    return growth > 0 ? growth : 0;
  }

 private:
  static double status_bytes(const std::string& field) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
      if (line.compare(0, field.size(), field) == 0) {
        return std::strtod(line.c_str() + field.size(), nullptr) * 1024;
      }
    }
    fail("/proc/self/status has no " + field + " line: memory cannot be measured", 1);
  }

  double before_ = 0;
};

}  // namespace bench
