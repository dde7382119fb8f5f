// SPDX-License-Identifier: Apache-2.0
#include "common/serial.hpp"

#include "matmul/problem.hpp"

namespace {

constexpr auto both = [](const auto& f, const auto& g) {
  f();
  g();
};

}  // namespace

int main(int argc, char** argv) {
  using namespace bench;
  return run<serial_system, matmul::problem>(argc, argv, matmul::variants("call", both));
}
