// SPDX-License-Identifier: Apache-2.0
#include "common/onetbb.hpp"

#include <array>
#include <cstddef>

#include "uts/problem.hpp"

namespace {

using namespace bench::uts;

count search(const node& n, int max_depth) {
  const int number = children(n, max_depth);
  count sum = itself(n, number);
  if (number == 0) return sum;
  std::array<count, max_children> found;
  tbb::task_group group;
  for (int i = 0; i < number; ++i) {
    group.run([&n, &out = found[static_cast<std::size_t>(i)], i, max_depth] {
      out = search(child(n, i), max_depth);
    });
  }
  group.wait();
  for (int i = 0; i < number; ++i) sum = sum + found[static_cast<std::size_t>(i)];
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run<bench::onetbb_system, problem>(
      argc, argv, {{"task_group", [](problem& p) { return search(root(), p.max_depth); }}});
}
