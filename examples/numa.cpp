// SPDX-License-Identifier: Apache-2.0
#include <kasuri/numa.hpp>

#include <cstdio>

namespace numa = kasuri::numa;

// alloc:
// A grid of 1024 rows, one consecutive part of the rows to each node.
numa::array<double> make_grid() {
  return numa::array<double>(1024 * 1024, numa::distribution::blocked());
}
// end

// quadrants:
// A matrix whose quadrants are on different nodes, in huge pages.
numa::array<double> make_matrix(std::size_t n) {
  const std::size_t row = n * sizeof(double);
  return numa::array<double>(n * n, numa::distribution::tiles(n, row, n / 2, row / 2),
                             {.huge_pages = true});
}
// end

// move:
// Memory of any origin moves; the result is how many pages stayed elsewhere.
std::size_t move_near(void* data, std::size_t bytes) {
  return numa::move(data, bytes, numa::distribution::on_node(numa::this_node()));
}
// end

int main() {
  // nodes:
  for (const numa::node& n : numa::nodes())
    std::printf("node %d: %d CPUs, %llu MiB\n", n.number, n.cpus,
                static_cast<unsigned long long>(n.memory_bytes >> 20));
  // end
  numa::array<double> grid = make_grid();
  for (double& x : grid) x = 1;
  const std::size_t half = grid.size() / 2;
  std::printf("the first row is on node %d, the middle one on node %d\n", numa::node_of(&grid[0]),
              numa::node_of(&grid[half]));
  const std::size_t left = move_near(grid.data(), grid.size() * sizeof(double));
  std::printf("%zu pages could not be moved\n", left);

  numa::array<double> matrix = make_matrix(512);
  matrix[0] = 1;
  double sum = matrix[0] + matrix[1];
  for (const double x : grid) sum += x;
  return sum == 1024 * 1024 + 1 ? 0 : 1;
}
