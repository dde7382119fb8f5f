// SPDX-License-Identifier: Apache-2.0
// One long task more than there are workers: the last one runs alone. The repaired twin cuts them.
#include <kasuri/kasuri.hpp>

#include <cstddef>
#include <vector>

#include "../program.h"

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  const long pieces = 32;
  const long tasks = kasuri::num_workers() + 1;
  std::vector<std::uint64_t> cells(static_cast<std::size_t>(tasks * pieces), 1);
  const long us = scaled(p, 600'000 / pieces);
  const auto piece = [&, us](long i) { SPIN_US(cells[static_cast<std::size_t>(i)], us); };
  kasuri::task_group group;
  if (p.repaired) {
    for (long i = 0; i != tasks * pieces; ++i) group.run([&piece, i] { piece(i); });
  } else {
    for (long t = 0; t != tasks; ++t)
      group.run([&piece, t] {  // planted: uneven_tasks
        for (long i = t * pieces; i != (t + 1) * pieces; ++i) piece(i);
      });
  }
  group.wait();
  std::uint64_t sum = 0;
  for (std::uint64_t cell : cells) sum += cell;
  return print_checksum(sum);
}
