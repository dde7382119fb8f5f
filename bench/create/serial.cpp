// SPDX-License-Identifier: Apache-2.0
#include "common/serial.hpp"

#include "create/problem.hpp"

namespace {

constexpr auto loop = [](long n, auto task) {
  for (long i = 0; i < n; ++i) task();
};

}  // namespace

int main(int argc, char** argv) {
  using bench::create::problem;
  return bench::run<bench::serial_system, problem>(
      argc, argv, {{"call", [](problem& p) { return p.solve(loop); }}});
}
