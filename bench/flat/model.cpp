// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "flat/problem.hpp"

namespace {

template <class Way>
constexpr auto loop = [](long n, auto task) {
  kasuri::model::children<Way> tasks;
  for (long i = 0; i < n; ++i) tasks.spawn(task);
  tasks.wait();
};

}  // namespace

int main(int argc, char** argv) {
  using bench::flat::problem;
  return bench::run_model<problem>(argc, argv,
                                   []<class Way>(problem& p) { return p.solve(loop<Way>); });
}
