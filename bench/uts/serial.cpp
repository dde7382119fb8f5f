// SPDX-License-Identifier: Apache-2.0
#include "common/serial.hpp"

#include "uts/problem.hpp"

int main(int argc, char** argv) {
  using namespace bench;
  return run<serial_system, uts::problem>(
      argc, argv, {{"call", [](uts::problem& p) { return uts::walk(uts::root(), p.max_depth); }}});
}
