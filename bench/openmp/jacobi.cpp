// SPDX-License-Identifier: Apache-2.0
// Jacobi sweeps over a square of blocks, five points a cell: a worksharing loop over blocks, a task
// a block with a wait after each sweep, and tasks ordered by dependences alone. The grid must equal
// the serial one bit for bit.

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "openmp/resized.hpp"
#include "openmp/runtime.hpp"

namespace {

using namespace bench;

constexpr int block = 128;
constexpr int sweeps = 16;

/// Cells of a square with a border that stays as it is.
class grid {
 public:
  explicit grid(int blocks)
      : blocks_(blocks),
        width_(static_cast<std::size_t>(blocks) * block + 2),
        cells_(width_ * width_) {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      cells_[i] = static_cast<double>(i * 2654435761U % 1000) * 1e-3;
    }
  }

  int blocks() const { return blocks_; }
  friend bool operator==(const grid& a, const grid& b) { return a.cells_ == b.cells_; }

  /// Row `row` of a block, at its first cell.
  double* row(int block_row, int block_column, int row) {
    const auto down = static_cast<std::size_t>(block_row) * block + static_cast<std::size_t>(row);
    return &cells_[(down + 1) * width_ + static_cast<std::size_t>(block_column) * block + 1];
  }

  /// One block of `to` from the cells of `from`.
  static void sweep(grid& from, grid& to, int block_row, int block_column) {
    const std::size_t width = from.width_;
    for (int r = 0; r < block; ++r) {
      const double* here = from.row(block_row, block_column, r);
      const double* above = here - width;
      const double* below = here + width;
      double* out = to.row(block_row, block_column, r);
#pragma omp simd
      for (int c = 0; c < block; ++c) {
        out[c] = 0.25 * (above[c] + below[c] + here[c - 1] + here[c + 1]);
      }
    }
  }

 private:
  int blocks_;
  std::size_t width_;
  std::vector<double> cells_;
};

void serial(grid& a, grid& b) {
  for (int s = 0; s < sweeps; ++s, std::swap(a, b)) {
    for (int i = 0; i < a.blocks(); ++i) {
      for (int j = 0; j < a.blocks(); ++j) grid::sweep(a, b, i, j);
    }
  }
}

void by_loop(grid& a, grid& b) {
  const int n = a.blocks();
  for (int s = 0; s < sweeps; ++s, std::swap(a, b)) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) grid::sweep(a, b, i, j);
    }
  }
}

void by_tasks(grid& a, grid& b) {
  const int n = a.blocks();
#pragma omp parallel
#pragma omp single
  for (int s = 0; s < sweeps; ++s, std::swap(a, b)) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
#pragma omp task firstprivate(i, j) shared(a, b)
        grid::sweep(a, b, i, j);
      }
    }
#pragma omp taskwait
  }
}

/// A byte stands for each block of each grid, with a border that nobody writes.
class tokens {
 public:
  explicit tokens(int blocks)
      : width_(static_cast<std::size_t>(blocks) + 2), bytes_(2 * width_ * width_) {}
  char* at(int which, int i, int j) {
    const auto row = static_cast<std::size_t>(which) * width_ + static_cast<std::size_t>(i + 1);
    return &bytes_[row * width_ + static_cast<std::size_t>(j + 1)];
  }

 private:
  std::size_t width_;
  std::vector<char> bytes_;
};

void dependent_sweep(grid& from, grid& to, tokens& all, int source) {
  for (int i = 0; i < from.blocks(); ++i) {
    for (int j = 0; j < from.blocks(); ++j) {
      [[maybe_unused]] const char* above = all.at(source, i - 1, j);
      [[maybe_unused]] const char* here = all.at(source, i, j);
      [[maybe_unused]] const char* below = all.at(source, i + 1, j);
      [[maybe_unused]] char* out = all.at(1 - source, i, j);
#pragma omp task firstprivate(i, j) shared(from, to) \
    depend(in : above[0], here[-1], here[0], here[1], below[0]) depend(out : out[0])
      grid::sweep(from, to, i, j);
    }
  }
}

void by_dependences(grid& a, grid& b) {
  static_assert(sweeps % 2 == 0, "the last sweep writes the first grid");
  tokens all(a.blocks());
#pragma omp parallel
#pragma omp single
  for (int s = 0; s < sweeps; s += 2) {
    dependent_sweep(a, b, all, 0);
    dependent_sweep(b, a, all, 1);
  }
}

struct problem {
  static constexpr const char* name = "openmp-jacobi";
  struct answer {};

  explicit problem(const arguments& args) : problem(static_cast<int>(args.size_or(10, 4))) {}
  explicit problem(int blocks) : input(blocks), a(input), b(input), expected(input) {
    serial(expected, b);
  }
  problem rehearsal() const { return problem(std::min(input.blocks(), 3)); }
  void prepare() {
    a = input;
    b = input;
  }
  std::string wrong(const answer&) const {
    return a == expected ? "" : "the grid differs from the serial one";
  }
  std::vector<metric> metrics(double seconds, const answer&) const {
    return openmp::only_time(seconds);
  }

  grid input;
  grid a;
  grid b;
  grid expected;
};

variant<problem> way(const char* name, void (*sweep_all)(grid&, grid&)) {
  return {name, [sweep_all](problem& p) {
            sweep_all(p.a, p.b);
            return problem::answer{};
          }};
}

}  // namespace

int main(int argc, char** argv) {
  return openmp::run<problem>(
      argc, argv, {way("for", by_loop), way("task", by_tasks), way("depend", by_dependences)});
}
