// SPDX-License-Identifier: Apache-2.0
// Parallel loops of Q threads inside a region of P threads: what an inner region costs. The variant
// is PxQ. The figure is the whole time by the number of inner regions, those of all P together.

#include <omp.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "openmp/repeated.hpp"
#include "openmp/runtime.hpp"

namespace {

using namespace bench;

struct problem {
  static constexpr const char* name = "openmp-nested";
  struct answer {
    openmp::samples samples;
    long regions;     ///< that each outer thread opened
    int wrong_teams;  ///< of another size than asked for
  };
  static constexpr int row = 64;  // elements of a loop

  explicit problem(const arguments& args)
      : outer(std::stoi(args.variant)),
        inner(std::stoi(args.variant.substr(args.variant.find('x') + 1))),
        cells(static_cast<std::size_t>(outer) * row) {
    omp_set_max_active_levels(2);
    if (args.quick) time = {0.005, 0.001};
    if (args.size > 0) time.total = static_cast<double>(args.size) * 1e-3;
  }
  problem rehearsal() const {
    problem small = *this;
    small.time = {0, 0};
    return small;
  }
  void prepare() { cells.assign(cells.size(), 0); }

  answer solve() {
    answer found{{}, 0, 0};
    found.samples = openmp::repeat(1, time, [&](long regions) {
      found.regions += regions;
      if (!teams(regions)) ++found.wrong_teams;
    });
    return found;
  }

  std::string wrong(const answer& found) const {
    if (found.wrong_teams != 0) return "a team was not as large as asked for";
    for (const float cell : cells) {
      if (cell != static_cast<float>(found.regions)) {
        return "an element was touched " + std::to_string(cell) + " times, expected " +
               std::to_string(found.regions);
      }
    }
    return "";
  }
  std::vector<metric> metrics(double, const answer& found) const {
    return {{"time-per-region", "us", openmp::mean(found.samples) / outer * 1e6}};
  }

 private:
  /// Every outer thread opens so many inner regions; were all teams complete?
  bool teams(long regions) {
    std::atomic<bool> complete = true;
#pragma omp parallel num_threads(outer)
    {
      if (omp_get_num_threads() != outer) complete.store(false, std::memory_order_relaxed);
      float* own = &cells[static_cast<std::size_t>(omp_get_thread_num()) * row];
      for (long r = 0; r < regions; ++r) {
        int members = 0;
#pragma omp parallel for schedule(static) num_threads(inner)
        for (int i = 0; i < row; ++i) {
          if (i == 0) members = omp_get_num_threads();
          own[i] += 1;
        }
        if (members != inner) complete.store(false, std::memory_order_relaxed);
      }
    }
    return complete.load(std::memory_order_relaxed);
  }

  int outer;
  int inner;
  std::vector<float> cells;
  openmp::budget time{0.03, 0.002};
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<variant<problem>> ways;
  for (const int outer : {2, 4, 8, 36}) {
    for (const int inner : {1, 2, 4, 8, 16, 36}) {
      ways.push_back({std::to_string(outer) + "x" + std::to_string(inner),
                      [](problem& p) { return p.solve(); }});
    }
  }
  return openmp::run<problem>(argc, argv, ways);
}
