// SPDX-License-Identifier: Apache-2.0
// The Himeno benchmark's kernel: Jacobi sweeps of 19 points with coefficients in memory, sizes S
// and M. With `-reduction` each sweep adds up the squared changes; without, only the grid counts.
// Checked against a serial run.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "openmp/resized.hpp"
#include "openmp/rows.hpp"
#include "openmp/runtime.hpp"

namespace {

using namespace bench;
using openmp::row_loops;

struct extent {
  int planes;
  int rows;
  int cells;
};
constexpr extent tiny = {16, 16, 32};
constexpr extent small = {64, 64, 128};
constexpr extent medium = {128, 128, 256};

class field {
 public:
  explicit field(const extent& e, float value = 0)
      : rows_(static_cast<std::size_t>(e.rows)),
        cells_(static_cast<std::size_t>(e.cells)),
        values_(static_cast<std::size_t>(e.planes) * rows_ * cells_, value) {}
  float* row(int plane, int row) {
    return &values_[(static_cast<std::size_t>(plane) * rows_ + static_cast<std::size_t>(row)) *
                    cells_];
  }
  const float* row(int plane, int row) const { return const_cast<field*>(this)->row(plane, row); }
  friend bool operator==(const field& a, const field& b) { return a.values_ == b.values_; }

 private:
  std::size_t rows_;
  std::size_t cells_;
  std::vector<float> values_;
};

/// The pressure equation in generalised coordinates, with the benchmark's initial values.
class equation {
 public:
  explicit equation(const extent& e)
      : pressure(e),
        size_(e),
        a_{field(e, 1), field(e, 1), field(e, 1), field(e, 1.0F / 6)},
        b_{field(e), field(e), field(e)},
        c_{field(e, 1), field(e, 1), field(e, 1)},
        boundary_(e, 1),
        source_(e),
        next_(e) {
    start();
  }

  const extent& size() const { return size_; }

  void start() {
    const float last = static_cast<float>(size_.planes - 1);
    for (int i = 0; i < size_.planes; ++i) {
      const float at = static_cast<float>(i) / last;
      for (int j = 0; j < size_.rows; ++j) std::fill_n(pressure.row(i, j), size_.cells, at * at);
    }
  }

  /// One sweep; the sum of the squared changes where it is wanted.
  double sweep(const row_loops& loops, bool reduce) {
    double changes = 0;
    if (reduce) {
      changes = loops.sum(1, size_.planes - 1, size_.rows - 1,
                          [&](int i, int j) { return relax_row<true>(i, j); });
    } else {
      loops.run(1, size_.planes - 1, size_.rows - 1, [&](int i, int j) { relax_row<false>(i, j); });
    }
    loops.run(1, size_.planes - 1, size_.rows - 1, [&](int i, int j) {
      std::copy_n(next_.row(i, j) + 1, size_.cells - 2, pressure.row(i, j) + 1);
    });
    return changes;
  }

  field pressure;

 private:
  template <bool Reduce>
  double relax_row(int i, int j) {
    const float* const p = pressure.row(i, j);
    const float* const south = pressure.row(i - 1, j);
    const float* const north = pressure.row(i + 1, j);
    const float* const west = pressure.row(i, j - 1);
    const float* const east = pressure.row(i, j + 1);
    const float* const corner[] = {pressure.row(i + 1, j + 1), pressure.row(i + 1, j - 1),
                                   pressure.row(i - 1, j + 1), pressure.row(i - 1, j - 1)};
    const float* const a[] = {a_[0].row(i, j), a_[1].row(i, j), a_[2].row(i, j), a_[3].row(i, j)};
    const float* const b[] = {b_[0].row(i, j), b_[1].row(i, j), b_[2].row(i, j)};
    const float* const c[] = {c_[0].row(i, j), c_[1].row(i, j), c_[2].row(i, j)};
    const float* const bound = boundary_.row(i, j);
    const float* const source = source_.row(i, j);
    float* const out = next_.row(i, j);
    constexpr float omega = 0.8F;
    double changes = 0;
    // Too many pointers for the compilers to find out alike that none of them is written.
#pragma omp simd reduction(+ : changes)
    for (int k = 1; k < size_.cells - 1; ++k) {
      const float sum = a[0][k] * north[k] + a[1][k] * east[k] + a[2][k] * p[k + 1] +
                        b[0][k] * (corner[0][k] - corner[1][k] - corner[2][k] + corner[3][k]) +
                        b[1][k] * (east[k + 1] - west[k + 1] - east[k - 1] + west[k - 1]) +
                        b[2][k] * (north[k + 1] - south[k + 1] - north[k - 1] + south[k - 1]) +
                        c[0][k] * south[k] + c[1][k] * west[k] + c[2][k] * p[k - 1] + source[k];
      const float change = (sum * a[3][k] - p[k]) * bound[k];
      if (Reduce) changes += static_cast<double>(change) * change;
      out[k] = p[k] + omega * change;
    }
    return changes;
  }

  extent size_;
  field a_[4];
  field b_[3];
  field c_[3];
  field boundary_;
  field source_;
  field next_;
};

struct result {
  field pressure;
  double changes;  ///< of the last sweep
};

struct problem {
  static constexpr const char* name = "openmp-himeno";
  using answer = double;

  explicit problem(const arguments& args)
      : problem(args.variant[0] == 'S' ? small : medium,
                static_cast<int>(args.size_or(args.variant[0] == 'S' ? 8 : 4, 2)),
                way(args.variant), args.variant.ends_with("-reduction")) {}
  problem(const extent& e, int count, const row_loops& way, bool sum)
      : now(e), sweeps(count), loops(way), reduce(sum), expected(serial(now, count)) {}

  problem rehearsal() const { return {tiny, 1, loops, reduce}; }
  void prepare() { now.start(); }
  answer solve() {
    double changes = 0;
    for (int s = 0; s < sweeps; ++s) changes = now.sweep(loops, reduce);
    return changes;
  }

  std::string wrong(const answer& changes) const {
    if (!(now.pressure == expected.pressure)) return "the grid differs from the serial one";
    if (reduce && !(std::abs(changes - expected.changes) <= 1e-9 * expected.changes)) {
      return "the sum of changes is " + std::to_string(changes) + ", expected " +
             std::to_string(expected.changes);
    }
    return "";
  }
  std::vector<metric> metrics(double seconds, const answer&) const {
    return openmp::only_time(seconds);
  }

  equation now;
  int sweeps;
  row_loops loops;
  bool reduce;
  result expected;

 private:
  /// "S-nested2-reduction": what stands between the first letter and the last word.
  static row_loops way(const std::string& variant) {
    const std::string rest = variant.substr(2);
    return row_loops::named(rest.substr(0, rest.find('-')));
  }
  static result serial(equation& one, int sweeps) {
    double changes = 0;
    for (int s = 0; s < sweeps; ++s) changes = one.sweep(row_loops::serial(), true);
    return {one.pressure, changes};
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<variant<problem>> ways;
  for (const char* size : {"S", "M"}) {
    for (const char* loops : {"flat", "nested2", "nested36"}) {
      for (const char* ending : {"", "-reduction"}) {
        ways.push_back(
            {std::string(size) + "-" + loops + ending, [](problem& p) { return p.solve(); }});
      }
    }
  }
  return openmp::run<problem>(argc, argv, ways);
}
