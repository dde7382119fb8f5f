// SPDX-License-Identifier: Apache-2.0
#include "common/kasuri.hpp"

#include "queens/problem.hpp"

namespace {

using namespace bench::queens;

long place(const board& b, int next);

/// Every column from `next` on: the first safe one is a task, the rest goes on meanwhile.
long place_from(const board& b, int next) {
  while (next < b.n && !b.safe(next)) ++next;
  if (next == b.n) return 0;
  auto [rest, own] = kasuri::parallel_invoke([&b, next] { return place_from(b, next + 1); },
                                             [&b, next] { return place(b, next); });
  return rest + own;
}

long place(const board& b, int next) {
  const board placed = b.with(next);
  return placed.complete() ? 1 : place_from(placed, 0);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run<bench::kasuri_system, problem>(
      argc, argv,
      {{"parallel_invoke", [](problem& p) { return place_from(p.empty(), 0); }}});
}
