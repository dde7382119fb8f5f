// SPDX-License-Identifier: Apache-2.0
// Rounds of equal tasks, one more than there are workers: the last one runs alone. The repaired
// twin cuts them. (Where tasks run for longer than some looks of the monitor, a spare thread runs
// the last one beside the others.)
#include <kasuri/kasuri.hpp>

#include <cstddef>
#include <vector>

#include "../program.h"

namespace {

constexpr long pieces = 32;
constexpr long us = 4'000 / pieces;

void run_tasks(std::vector<std::uint64_t>& cells, long tasks) {
  kasuri::task_group group;
  for (long t = 0; t != tasks; ++t)
    group.run([&cells, t] {  // planted: uneven_tasks
      for (long i = t * pieces; i != (t + 1) * pieces; ++i)
        SPIN_US(cells[static_cast<std::size_t>(i)], us);
    });
  group.wait();
}

void run_pieces(std::vector<std::uint64_t>& cells) {
  kasuri::task_group group;
  for (std::uint64_t& cell : cells) group.run([&cell] { SPIN_US(cell, us); });
  group.wait();
}

}  // namespace

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  const long tasks = kasuri::num_workers() + 1;
  std::vector<std::uint64_t> cells(static_cast<std::size_t>(tasks * pieces), 1);
  kasuri::run([&] {
    for (long round = 0; round != scaled(p, 150); ++round)
      p.repaired ? run_pieces(cells) : run_tasks(cells, tasks);
  });
  std::uint64_t sum = 0;
  for (std::uint64_t cell : cells) sum += cell;
  return print_checksum(sum);
}
