// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "arguments.hpp"

namespace bench {

/// No runtime at all: plain calls on the calling thread.
struct serial_system {
  static constexpr const char* name = "serial";
  static std::string version() { return ""; }

  explicit serial_system(int workers) {
    if (workers != 1) fail("serial: runs on one worker only", not_applicable);
  }

  template <class F>
  void run(F&& f) {
    f();
  }
};

}  // namespace bench
