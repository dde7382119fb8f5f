// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "sparselu/kernel.hpp"
#include "sparselu/problem.hpp"

namespace {

using namespace bench::sparselu;

/// f(begin) ... f(end - 1) as the leaves of a tree of tasks.
template <class Way, class F>
void each(int begin, int end, const F& f) {
  if (end - begin <= 1) {
    if (begin < end) f(begin);
    return;
  }
  const int middle = begin + (end - begin) / 2;
  kasuri::model::fork_join<Way>([middle, end, &f] { each<Way>(middle, end, f); },
                                [begin, middle, &f] { each<Way>(begin, middle, f); });
}

template <class Way>
void factorise(block_matrix& a) {
  const int n = a.blocks();
  for (int k = 0; k < n; ++k) {
    kernel::factorise(a.at(k, k));
    each<Way>(k + 1, n, [&a, k](int other) {
      if (a.has(k, other)) kernel::solve_lower(a.at(k, k), a.at(k, other));
      if (a.has(other, k)) kernel::solve_upper(a.at(k, k), a.at(other, k));
    });
    each<Way>(k + 1, n, [&a, k, n](int i) {
      if (!a.has(i, k)) return;
      each<Way>(k + 1, n, [&a, k, i](int j) {
        if (a.has(k, j)) kernel::update(a.at(i, k), a.at(k, j), a.fill_in(i, j));
      });
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_model<problem>(argc, argv, []<class Way>(problem& p) {
    factorise<Way>(p.factors);
    return problem::answer{};
  });
}
