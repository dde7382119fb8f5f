// SPDX-License-Identifier: Apache-2.0
#include "common/kasuri.hpp"

#include "matmul/problem.hpp"

namespace {

constexpr auto both = [](const auto& f, const auto& g) { kasuri::parallel_invoke(f, g); };

}  // namespace

int main(int argc, char** argv) {
  using namespace bench;
  return run<kasuri_system, matmul::problem>(argc, argv, matmul::variants("parallel_invoke", both));
}
