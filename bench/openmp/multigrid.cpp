// SPDX-License-Identifier: Apache-2.0
// V-cycles for a Poisson equation as NPB's MG defines them, classes S, W and A, checked by the
// published norms of the residual. `flat`: one parallel loop over planes per operator; `nestedQ`:
// in it, for each plane, an inner region of Q threads over its rows.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "openmp/periodic_grid.hpp"
#include "openmp/resized.hpp"
#include "openmp/rows.hpp"
#include "openmp/runtime.hpp"

namespace {

using namespace bench;
using openmp::periodic_grid;
using openmp::row_loops;

struct size_class {
  const char* name;
  int n;
  int cycles;
  double norm;
};
constexpr std::array<size_class, 3> classes = {{{"S", 32, 4, 0.5307707005734e-04},
                                                {"W", 128, 4, 0.6467329375339e-05},
                                                {"A", 256, 4, 0.2433365309069e-05}}};

/// 1 at the cells of the ten largest numbers of NPB's generator, -1 at those of the ten smallest.
void set_charges(periodic_grid& v) {
  constexpr std::uint64_t factor = 1220703125;  // 5^13
  constexpr std::uint64_t mask = (std::uint64_t{1} << 46) - 1;
  constexpr std::size_t wanted = 10;
  using numbered = std::pair<std::uint64_t, int>;
  std::vector<numbered> small;
  std::vector<numbered> large;
  const auto keep = [](std::vector<numbered>& best, const numbered& one, auto before) {
    if (best.size() == wanted && !before(one, best.back())) return;
    best.insert(std::upper_bound(best.begin(), best.end(), one, before), one);
    if (best.size() > wanted) best.pop_back();
  };
  const int n = v.size();
  std::uint64_t state = 314159265;
  for (int cell = 0; cell < n * n * n; ++cell) {
    state = state * factor & mask;
    keep(small, {state, cell}, std::less<>());
    keep(large, {state, cell}, std::greater<>());
  }
  const auto put = [&v, n](const numbered& one, double charge) {
    const int row = one.second / n;
    v.row(row / n, row % n)[one.second % n] = charge;
    v.close_row(row / n, row % n);
  };
  for (const numbered& one : small) put(one, -1);
  for (const numbered& one : large) put(one, 1);
}

class solver {
 public:
  explicit solver(int n) : v_(n) {
    for (int size = 2; size <= n; size *= 2) levels_.emplace_back(size);
    set_charges(v_);
  }

  int size() const { return v_.size(); }

  void start() {
    for (level& one : levels_) {
      one.u.clear();
      one.r.clear();
    }
  }

  /// The norm of the residual after so many V-cycles.
  double solve(int cycles, const row_loops& loops) {
    level& top = levels_.back();
    residual(top, v_, loops);
    for (int cycle = 0; cycle < cycles; ++cycle) {
      down(loops);
      up(loops);
      residual(top, v_, loops);
    }
    return norm(top.r, loops);
  }

 private:
  struct level {
    explicit level(int n) : u(n), r(n) {}
    periodic_grid u;
    periodic_grid r;
  };

  static void residual(level& at, const periodic_grid& right, const row_loops& loops) {
    loops.run(0, at.u.size(), at.u.size(),
              [&](int plane, int row) { openmp::residual_row(at.u, right, at.r, plane, row); });
  }
  static void smooth(level& at, const row_loops& loops) {
    loops.run(0, at.u.size(), at.u.size(),
              [&](int plane, int row) { openmp::smooth_row(at.r, at.u, plane, row); });
  }

  void down(const row_loops& loops) {
    for (std::size_t l = levels_.size() - 1; l > 0; --l) {
      level& fine = levels_[l];
      level& coarse = levels_[l - 1];
      loops.run(0, coarse.u.size(), coarse.u.size(), [&](int plane, int row) {
        openmp::restrict_row(fine.r, coarse.r, plane, row);
        double* const cell = coarse.u.row(plane, row);
        std::fill(cell - 1, cell + coarse.u.size() + 1, 0.0);
      });
    }
  }

  void up(const row_loops& loops) {
    smooth(levels_[0], loops);
    for (std::size_t l = 1; l < levels_.size(); ++l) {
      level& fine = levels_[l];
      const level& coarse = levels_[l - 1];
      loops.run(0, fine.u.size(), fine.u.size(),
                [&](int plane, int row) { openmp::interpolate_row(coarse.u, fine.u, plane, row); });
      residual(fine, l + 1 == levels_.size() ? v_ : fine.r, loops);
      smooth(fine, loops);
    }
  }

  static double norm(const periodic_grid& r, const row_loops& loops) {
    const int n = r.size();
    const double squares = loops.sum(0, n, n, [&](int plane, int row) {
      const double* const cell = r.row(plane, row);
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += cell[i] * cell[i];
      return sum;
    });
    return std::sqrt(squares / (static_cast<double>(n) * n * n));
  }

  periodic_grid v_;
  std::vector<level> levels_;  // the coarsest, of two cells a side, first
};

struct problem {
  static constexpr const char* name = "openmp-multigrid";
  struct answer {
    double norm;
    double seconds;
  };
  static constexpr int rehearsed_size = 16;
  static constexpr double least_seconds = 0.03;  ///< the small class is solved more than once

  explicit problem(const arguments& args)
      : problem(named(args.variant.substr(0, 1)), row_loops::named(args.variant.substr(2))) {
    if (args.quick && args.variant[0] == 'A') {
      fail("multigrid: class A is left out by --quick", not_applicable);
    }
  }
  problem(const size_class& c, const row_loops& way)
      : grids(c.n), cycles(c.cycles), expected(c.norm), loops(way) {}

  problem rehearsal() const {
    solver one(rehearsed_size);
    const double norm = one.solve(1, row_loops::serial());
    return {size_class{"", rehearsed_size, 1, norm}, loops};
  }
  void prepare() {}
  answer solve() {
    double spent = 0;
    double norm = expected;
    int runs = 0;
    while (spent < least_seconds && right(norm)) {
      grids.start();
      const double start = now();
      norm = grids.solve(cycles, loops);
      spent += now() - start;
      ++runs;
    }
    return {norm, spent / runs};
  }

  std::string wrong(const answer& found) const {
    if (right(found.norm)) return "";
    return "the residual's norm is " + text(found.norm) + ", expected " + text(expected);
  }
  std::vector<metric> metrics(double, const answer& found) const {
    return openmp::only_time(found.seconds);
  }

  solver grids;
  int cycles;
  double expected;
  row_loops loops;

 private:
  bool right(double norm) const { return std::abs(norm - expected) <= 1e-8 * expected; }
  static const size_class& named(const std::string& name) {
    return *std::find_if(classes.begin(), classes.end(),
                         [&](const size_class& one) { return one.name == name; });
  }
  static std::string text(double norm) {
    std::array<char, 32> digits;
    std::snprintf(digits.data(), digits.size(), "%.13e", norm);
    return digits.data();
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<variant<problem>> ways;
  for (const size_class& one : classes) {
    for (const char* loops : {"flat", "nested2", "nested36"}) {
      ways.push_back({std::string(one.name) + "-" + loops, [](problem& p) { return p.solve(); }});
    }
  }
  return openmp::run<problem>(argc, argv, ways);
}
