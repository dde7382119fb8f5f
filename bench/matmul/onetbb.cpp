// SPDX-License-Identifier: Apache-2.0
#include "common/onetbb.hpp"

#include "matmul/problem.hpp"

namespace {

constexpr auto both = [](const auto& f, const auto& g) { tbb::parallel_invoke(f, g); };

}  // namespace

int main(int argc, char** argv) {
  using namespace bench;
  return run<onetbb_system, matmul::problem>(argc, argv, matmul::variants("parallel_invoke", both));
}
