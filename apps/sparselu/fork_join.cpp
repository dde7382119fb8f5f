// SPDX-License-Identifier: Apache-2.0
// The sparse LU factorisation in fork-join: loops, a task group with a task a block, and
// parallel_invoke over halves.

#include "apps/common/kasuri_system.hpp"
#include "apps/sparselu/problem.hpp"

namespace {

using sparselu::problem;

/// f(begin) ... f(end - 1) by a loop.
struct loop {
  template <class F>
  static void each(int begin, int end, const F& f) {
    kasuri::parallel_for(begin, end, f);
  }
};

/// A task each.
struct group {
  template <class F>
  static void each(int begin, int end, const F& f) {
    kasuri::task_group all;
    for (int i = begin; i < end; ++i) all.run([&f, i] { f(i); });
    all.wait();
  }
};

/// The leaves of a tree of pairs.
struct invoke {
  template <class F>
  static void each(int begin, int end, const F& f) {
    if (end - begin > 1) {
      const int middle = begin + (end - begin) / 2;
      kasuri::parallel_invoke([begin, middle, &f] { each(begin, middle, f); },
                              [middle, end, &f] { each(middle, end, f); });
    } else if (begin < end) {
      f(begin);
    }
  }
};

template <class Way>
void factorise(problem& p) {
  const int n = p.blocks();
  for (int k = 0; k < n; ++k) {
    p.factorise(k);
    Way::each(k + 1, n, [&p, k](int other) {
      if (p.has(k, other)) p.solve_lower(k, other);
      if (p.has(other, k)) p.solve_upper(other, k);
    });
    Way::each(k + 1, n, [&p, k, n](int i) {
      if (!p.has(i, k)) return;
      Way::each(k + 1, n, [&p, k, i](int j) {
        if (p.has(k, j)) p.update(i, j, k);
      });
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run<problem>(
      argc, argv, apps::kasuri_system(),
      {{"loop", factorise<loop>}, {"group", factorise<group>}, {"invoke", factorise<invoke>}});
}
