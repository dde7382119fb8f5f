// SPDX-License-Identifier: Apache-2.0
#include "common/kasuri.hpp"

#include <array>
#include <cstddef>

#include "uts/problem.hpp"

namespace {

using namespace bench::uts;

count search_invoke(const node& n, int max_depth) {
  const int number = children(n, max_depth);
  return itself(n, number) + bench::sum_of_tasks(0, number, [&n, max_depth](int i) {
           return search_invoke(child(n, i), max_depth);
         });
}

count search_group(const node& n, int max_depth) {
  const int number = children(n, max_depth);
  count sum = itself(n, number);
  if (number == 0) return sum;
  std::array<count, max_children> found;
  kasuri::task_group group;
  for (int i = 0; i < number; ++i) {
    group.run([&n, &out = found[static_cast<std::size_t>(i)], i, max_depth] {
      out = search_group(child(n, i), max_depth);
    });
  }
  group.wait();
  for (int i = 0; i < number; ++i) sum = sum + found[static_cast<std::size_t>(i)];
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run<bench::kasuri_system, problem>(
      argc, argv,
      {{"parallel_invoke", [](problem& p) { return search_invoke(root(), p.max_depth); }},
       {"task_group", [](problem& p) { return search_group(root(), p.max_depth); }}});
}
