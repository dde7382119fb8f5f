// SPDX-License-Identifier: Apache-2.0
#include "common/libfork.hpp"

#include "fib/problem.hpp"

namespace {

constexpr auto fib = [](auto fib, long n) -> lf::task<long> {
  if (n < 2) co_return n;
  long a;
  long b;
  co_await lf::fork(&a, fib)(n - 1);
  co_await lf::call(&b, fib)(n - 2);
  co_await lf::join;
  co_return a + b;
};

}  // namespace

int main(int argc, char** argv) {
  using bench::fib::problem;
  return bench::run<bench::libfork_system, problem>(
      argc, argv, {{"fork", [](problem& p) {
                      return lf::sync_wait(bench::libfork_system::pool(), fib, p.n);
                    }}});
}
