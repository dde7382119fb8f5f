// SPDX-License-Identifier: Apache-2.0
#include "common/libfork.hpp"

#include "create/problem.hpp"

namespace {

constexpr auto one = [](auto, auto task) -> lf::task<> {
  task();
  co_return;
};

constexpr auto loop = [](auto, long n, auto task) -> lf::task<> {
  for (long i = 0; i < n; ++i) {
    co_await lf::fork(one)(task);
    co_await lf::join;
  }
};

constexpr auto start = [](long n, auto task) {
  lf::sync_wait(bench::libfork_system::pool(), loop, n, task);
};

}  // namespace

int main(int argc, char** argv) {
  using bench::create::problem;
  return bench::run<bench::libfork_system, problem>(
      argc, argv, {{"fork", [](problem& p) { return p.solve(start); }}});
}
