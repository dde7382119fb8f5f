// SPDX-License-Identifier: Apache-2.0
// One thread prepares what all work on: 70 % of the time, on any number of workers.
#include <kasuri/kasuri.hpp>

#include <cstddef>
#include <vector>

#include "../program.h"

namespace {

void prepare(std::vector<std::uint64_t>& cells) {
  for (std::uint64_t& cell : cells) SPIN_US(cell, 100);  // planted: serial
}

void prepare_by_all(std::vector<std::uint64_t>& cells) {
  kasuri::parallel_for(std::size_t{0}, cells.size(),
                       [&](std::size_t i) { SPIN_US(cells[i], 100); });
}

}  // namespace

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  std::vector<std::uint64_t> cells(scaled(p, 10'000));
  for (std::size_t i = 0; i != cells.size(); ++i) cells[i] = i;
  p.repaired ? prepare_by_all(cells) : prepare(cells);
  const long us = 43L * kasuri::num_workers();
  kasuri::parallel_for(std::size_t{0}, cells.size(), [&](std::size_t i) { SPIN_US(cells[i], us); });
  std::uint64_t sum = 0;
  for (std::uint64_t cell : cells) sum += cell;
  return print_checksum(sum);
}
