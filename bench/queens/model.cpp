// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "queens/kernel.hpp"
#include "queens/problem.hpp"

namespace {

using namespace bench::queens;

template <class Way>
long search(const board& b) {
  if (b.complete()) return 1;
  const columns next = kernel::safe_columns(b);
  return kasuri::model::sum_of<Way, max_n>(
      next.count, [&b, &next](int i) { return search<Way>(b.with(next[i])); });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_model<problem>(argc, argv,
                                   []<class Way>(problem& p) { return search<Way>(p.empty()); });
}
