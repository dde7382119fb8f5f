// SPDX-License-Identifier: Apache-2.0
#include <kasuri/global.hpp>

#include <cstddef>
#include <cstdio>

namespace global = kasuri::global;

// The sum of an array that lies on all ranks, by halves: leaves of 65536 elements are checked out.
double sum(global::view<const double> v) {
  if (v.size() <= 65536) {
    double s = 0;
    for (double x : global::checkout(v, global::read)) s += x;
    return s;
  }
  const std::size_t half = v.size() / 2;
  auto [a, b] = global::parallel_invoke([=] { return sum(v.subview(0, half)); },
                                        [=] { return sum(v.subview(half, v.size() - half)); });
  return a + b;
}

int main() {
  global::vector<double> x(10'000'000);
  const global::view<double> v = x.view();
  const double total = global::run([=] {
    global::parallel_for(std::size_t{0}, v.size(), 65536, [=](std::size_t lo, std::size_t hi) {
      auto part = global::checkout(v.subview(lo, hi - lo), global::write);
      for (std::size_t i = lo; i != hi; ++i) part[i - lo] = static_cast<double>(i % 10);
    });
    return sum(v);
  });
  if (global::rank() == 0) std::printf("sum %.0f on %d ranks\n", total, global::num_ranks());
  return total == 45'000'000 ? 0 : 1;
}
