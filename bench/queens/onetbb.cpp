// SPDX-License-Identifier: Apache-2.0
#include "common/onetbb.hpp"

#include <array>
#include <cstddef>

#include "queens/problem.hpp"

namespace {

using namespace bench::queens;

long search(const board& b) {
  if (b.complete()) return 1;
  std::array<long, max_n> found{};
  tbb::task_group group;
  for (int next = 0; next < b.n; ++next) {
    if (!b.safe(next)) continue;
    group.run([&b, &out = found[static_cast<std::size_t>(next)], next] {
      out = search(b.with(next));
    });
  }
  group.wait();
  long solutions = 0;
  for (const long one : found) solutions += one;
  return solutions;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run<bench::onetbb_system, problem>(
      argc, argv, {{"task_group", [](problem& p) { return search(p.empty()); }}});
}
