// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "matmul/problem.hpp"

namespace {

using namespace bench::matmul;

template <class Way>
void multiply(problem& p, const rectangle& r) {
  if (r.is_block()) return p.multiply_block(r);
  const auto [first, second] = r.halves();
  kasuri::model::fork_join<Way>([&p, half = first] { multiply<Way>(p, half); },
                                [&p, half = second] { multiply<Way>(p, half); });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_model<problem>(argc, argv, []<class Way>(problem& p) {
    multiply<Way>(p, p.whole());
    return problem::answer{};
  });
}
