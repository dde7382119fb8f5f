// SPDX-License-Identifier: Apache-2.0
#include "common/serial.hpp"

#include "queens/problem.hpp"

int main(int argc, char** argv) {
  using namespace bench;
  return run<serial_system, queens::problem>(
      argc, argv, {{"call", [](queens::problem& p) { return queens::solve(p.empty()); }}});
}
