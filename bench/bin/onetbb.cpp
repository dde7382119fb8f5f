// SPDX-License-Identifier: Apache-2.0
#include "common/onetbb.hpp"

#include "bin/problem.hpp"

namespace {

constexpr auto fork_join = [](const auto& f, const auto& g) {
  long a;
  long b;
  tbb::parallel_invoke([&] { a = f(); }, [&] { b = g(); });
  return a + b;
};

}  // namespace

int main(int argc, char** argv) {
  using namespace bench;
  return run<onetbb_system, bin::problem>(argc, argv, bin::variants(fork_join));
}
