// SPDX-License-Identifier: Apache-2.0
#include "common/taskflow.hpp"

#include "bin/problem.hpp"

namespace {

constexpr auto fork_join = [](const auto& f, const auto& g) {
  long b;
  tf::TaskGroup group = bench::taskflow_system::executor().task_group();
  group.silent_async([&] { b = g(); });
  const long a = f();
  group.corun();
  return a + b;
};

}  // namespace

int main(int argc, char** argv) {
  using namespace bench;
  return run<taskflow_system, bin::problem>(argc, argv, bin::variants(fork_join));
}
