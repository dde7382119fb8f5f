// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

/// The operators of NPB's MG (Bailey et al., "The NAS Parallel Benchmarks", RNR-94-007), row by row
/// on cubes of n³ cells, n a power of two, that repeat in all directions.
namespace bench::openmp {

/// A row holds its neighbours' copies of the first and the last cell at both ends.
class periodic_grid {
 public:
  explicit periodic_grid(int n)
      : n_(n),
        cells_(static_cast<std::size_t>(n) * static_cast<std::size_t>(n) *
               static_cast<std::size_t>(n + 2)) {}

  int size() const { return n_; }
  /// Cell 0 of a row; the cells -1 and n are there as well. Planes and rows wrap around.
  double* row(int plane, int row) { return &cells_[place(plane, row)]; }
  const double* row(int plane, int row) const { return &cells_[place(plane, row)]; }

  void close_row(int plane, int row) {
    double* const cell = this->row(plane, row);
    cell[-1] = cell[n_ - 1];
    cell[n_] = cell[0];
  }
  void clear() { cells_.assign(cells_.size(), 0); }

 private:
  std::size_t place(int plane, int row) const {
    const int mask = n_ - 1;
    return (static_cast<std::size_t>(plane & mask) * static_cast<std::size_t>(n_) +
            static_cast<std::size_t>(row & mask)) *
               static_cast<std::size_t>(n_ + 2) +
           1;
  }

  int n_;
  std::vector<double> cells_;
};

/// Weights of a cell and of its neighbours across a face, an edge and a corner.
using weights = std::array<double, 4>;
inline constexpr weights laplacian = {-8.0 / 3, 0, 1.0 / 6, 1.0 / 12};
inline constexpr weights smoother = {-3.0 / 8, 1.0 / 32, -1.0 / 64, 0};
inline constexpr weights restriction = {1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16};

/// A row's neighbourhood, added up across the row: what 27 points need of each cell.
class neighbourhood {
 public:
  static constexpr int longest = 512;

  neighbourhood(const periodic_grid& g, int plane, int row) : centre_(g.row(plane, row)) {
    const double* const face[] = {g.row(plane, row - 1), g.row(plane, row + 1),
                                  g.row(plane - 1, row), g.row(plane + 1, row)};
    const double* const edge[] = {g.row(plane - 1, row - 1), g.row(plane - 1, row + 1),
                                  g.row(plane + 1, row - 1), g.row(plane + 1, row + 1)};
    for (int i = -1; i <= g.size(); ++i) {
      faces_[i + 1] = face[0][i] + face[1][i] + face[2][i] + face[3][i];
      edges_[i + 1] = edge[0][i] + edge[1][i] + edge[2][i] + edge[3][i];
    }
  }

  double weighted(int i, const weights& w) const {
    const double* const f = &faces_[i + 1];
    const double* const e = &edges_[i + 1];
    return w[0] * centre_[i] + w[1] * (centre_[i - 1] + centre_[i + 1] + f[0]) +
           w[2] * (e[0] + f[-1] + f[1]) + w[3] * (e[-1] + e[1]);
  }

 private:
  const double* centre_;
  double faces_[longest + 2];
  double edges_[longest + 2];
};

/// r = v - A u
inline void residual_row(const periodic_grid& u, const periodic_grid& v, periodic_grid& r,
                         int plane, int row) {
  const neighbourhood around(u, plane, row);
  const double* const right = v.row(plane, row);
  double* const out = r.row(plane, row);
  for (int i = 0; i < u.size(); ++i) out[i] = right[i] - around.weighted(i, laplacian);
  r.close_row(plane, row);
}

/// u = u + S r
inline void smooth_row(const periodic_grid& r, periodic_grid& u, int plane, int row) {
  const neighbourhood around(r, plane, row);
  double* const out = u.row(plane, row);
  for (int i = 0; i < u.size(); ++i) out[i] += around.weighted(i, smoother);
  u.close_row(plane, row);
}

/// A coarse cell c lies on the fine cell 2c + 1.
inline void restrict_row(const periodic_grid& fine, periodic_grid& coarse, int plane, int row) {
  const neighbourhood around(fine, 2 * plane + 1, 2 * row + 1);
  double* const out = coarse.row(plane, row);
  for (int i = 0; i < coarse.size(); ++i) out[i] = around.weighted(2 * i + 1, restriction);
  coarse.close_row(plane, row);
}

/// fine = fine + the coarse cells, interpolated in three directions.
inline void interpolate_row(const periodic_grid& coarse, periodic_grid& fine, int plane, int row) {
  // An odd fine index lies on one coarse cell, an even one between two.
  const int p[] = {(plane + 1) / 2 - 1, plane / 2};
  const int r[] = {(row + 1) / 2 - 1, row / 2};
  const double* const from[] = {coarse.row(p[0], r[0]), coarse.row(p[0], r[1]),
                                coarse.row(p[1], r[0]), coarse.row(p[1], r[1])};
  double* const out = fine.row(plane, row);
  const auto between = [&from](int i) {
    return 0.25 * (from[0][i] + from[1][i] + from[2][i] + from[3][i]);
  };
  for (int i = 0; i < coarse.size(); ++i) {
    out[2 * i] += 0.5 * (between(i - 1) + between(i));
    out[2 * i + 1] += between(i);
  }
  fine.close_row(plane, row);
}

}  // namespace bench::openmp
