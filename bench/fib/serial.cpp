// SPDX-License-Identifier: Apache-2.0
#include "common/serial.hpp"

#include "fib/problem.hpp"

namespace {

long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

}  // namespace

int main(int argc, char** argv) {
  using bench::fib::problem;
  return bench::run<bench::serial_system, problem>(
      argc, argv, {{"call", [](problem& p) { return fib(p.n); }}});
}
