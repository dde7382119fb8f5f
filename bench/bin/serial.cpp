// SPDX-License-Identifier: Apache-2.0
#include "common/serial.hpp"

#include "bin/problem.hpp"

namespace {

constexpr auto fork_join = [](const auto& f, const auto& g) { return f() + g(); };

}  // namespace

int main(int argc, char** argv) {
  using namespace bench;
  return run<serial_system, bin::problem>(argc, argv, bin::variants(fork_join));
}
