// SPDX-License-Identifier: Apache-2.0
// Sweeps over arrays that all lie on rank 0. In the repaired twin each rank has its part of them.
#include <kasuri/global.hpp>

#include <algorithm>
#include <cstddef>

#include "../program.h"

namespace global = kasuri::global;

namespace {

constexpr std::size_t piece = 4096;
using array = global::vector<std::uint64_t>;
using cells = global::view<std::uint64_t>;

array make(std::size_t n, bool repaired) {
  if (repaired) return array(n);
  const auto owner = [](std::uint64_t) { return 0; };
  return array(n, global::listed(piece, owner));  // planted: remote
}

void sweep(cells x) {
  if (x.size() <= piece) {
    const auto part = global::checkout(x, global::read_write);  // planted: remote
    for (std::uint64_t& cell : part) SPIN(cell, 1);
    return;
  }
  const std::size_t half = x.size() / 2;
  global::parallel_invoke([=] { sweep(x.subview(0, half)); },
                          [=] { sweep(x.subview(half, x.size() - half)); });
}

std::uint64_t sum(cells x) {
  if (x.size() <= piece) {
    std::uint64_t s = 0;
    for (const std::uint64_t cell : global::checkout(x, global::read)) s += cell;
    return s;
  }
  const std::size_t half = x.size() / 2;
  auto [a, b] = global::parallel_invoke([=] { return sum(x.subview(0, half)); },
                                        [=] { return sum(x.subview(half, x.size() - half)); });
  return a + b;
}

}  // namespace

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  const array x = make(std::size_t{4} << 20, p.repaired);
  const long sweeps = scaled(p, 300);
  const std::uint64_t total = global::run([all = x.view(), sweeps] {
    for (long i = 0; i != sweeps; ++i) sweep(all);
    return sum(all);
  });
  return global::rank() == 0 ? print_checksum(total) : 0;
}
