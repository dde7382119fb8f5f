// SPDX-License-Identifier: Apache-2.0
// Strassen's product in fork-join: sums by loops over rows, and the seven products of each level by
// a loop, by a task group, or by parallel_invoke.

#include <array>

#include "apps/common/kasuri_system.hpp"
#include "apps/strassen/problem.hpp"

namespace {

using namespace strassen;

struct loop {
  template <class F>
  static void seven(const F& f) {
    kasuri::parallel_for(0, 7, f);
  }
};

struct group {
  template <class F>
  static void seven(const F& f) {
    kasuri::task_group all;
    for (int k = 0; k < 7; ++k) all.run([&f, k] { f(k); });
    all.wait();
  }
};

struct invoke {
  template <class F>
  static void seven(const F& f) {
    const auto call = [&f](int k) { return [&f, k] { f(k); }; };
    kasuri::parallel_invoke(call(0), call(1), call(2), call(3), call(4), call(5), call(6));
  }
};

template <class Way>
void multiply(problem& p, const node& at) {
  if (!p.forks(at)) return serial(at.a, at.b, at.c, p.leaf());
  const int half = at.c.n / 2;
  const temporaries t(half);
  const auto quarters = sums(at.a, at.b, t);
  const auto seven = products(at.a, at.b, at.c, t);
  const auto ends = results(at.c, t);
  kasuri::parallel_for(0, half, [&quarters](int row) { add_rows(quarters, row); });
  Way::seven([&p, &at, &seven](int k) {
    const auto which = static_cast<std::size_t>(k);
    const node made = problem::child(at, seven[which], which);
    p.note_product(made);
    multiply<Way>(p, made);
  });
  kasuri::parallel_for(0, half, [&ends](int row) { add_rows(ends, row); });
}

template <class Way>
void whole(problem& p) {
  multiply<Way>(p, p.root());
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run<problem>(
      argc, argv, apps::kasuri_system(),
      {{"loop", whole<loop>}, {"group", whole<group>}, {"invoke", whole<invoke>}});
}
