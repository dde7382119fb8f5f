// SPDX-License-Identifier: Apache-2.0
#include "common/kasuri.hpp"

#include "bin/problem.hpp"

namespace {

constexpr auto fork_join = [](const auto& f, const auto& g) {
  const auto [a, b] = kasuri::parallel_invoke(f, g);
  return a + b;
};

}  // namespace

int main(int argc, char** argv) {
  using namespace bench;
  return run<kasuri_system, bin::problem>(argc, argv, bin::variants(fork_join));
}
