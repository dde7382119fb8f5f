// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>

#include <string>

#include "common/bench.hpp"

/// Work on the rows of a grid of planes: by one thread, by a team that shares the planes, or by a
/// team of which every member opens, for each of its planes, an inner region that shares the rows.
namespace bench::openmp {

class row_loops {
 public:
  static row_loops serial() { return row_loops(way::serial, 1); }
  static row_loops flat() { return row_loops(way::flat, 1); }
  static row_loops nested(int inner) { return row_loops(way::nested, inner); }

  /// "flat", "nested2", "nested36"
  static row_loops named(const std::string& name) {
    const std::string nested_name = "nested";
    if (name == "flat") return flat();
    return nested(std::stoi(name.substr(nested_name.size())));
  }

  /// work(plane, row) for begin <= plane < planes and begin <= row < rows.
  template <class Work>
  void run(int begin, int planes, int rows, const Work& work) const {
    switch (way_) {
      case way::serial:
        for (int plane = begin; plane < planes; ++plane) {
          for (int row = begin; row < rows; ++row) work(plane, row);
        }
        return;
      case way::flat:
#pragma omp parallel for schedule(static)
        for (int plane = begin; plane < planes; ++plane) {
          for (int row = begin; row < rows; ++row) work(plane, row);
        }
        return;
      case way::nested:
#pragma omp parallel for schedule(static)
        for (int plane = begin; plane < planes; ++plane) {
#pragma omp parallel for schedule(static) num_threads(inner_)
          for (int row = begin; row < rows; ++row) work(plane, row);
        }
        return;
    }
  }

  /// The sum of work(plane, row), by reduction.
  template <class Work>
  double sum(int begin, int planes, int rows, const Work& work) const {
    double total = 0;
    switch (way_) {
      case way::serial:
        for (int plane = begin; plane < planes; ++plane) {
          for (int row = begin; row < rows; ++row) total += work(plane, row);
        }
        return total;
      case way::flat:
#pragma omp parallel for schedule(static) reduction(+ : total)
        for (int plane = begin; plane < planes; ++plane) {
          for (int row = begin; row < rows; ++row) total += work(plane, row);
        }
        return total;
      case way::nested:
#pragma omp parallel for schedule(static) reduction(+ : total)
        for (int plane = begin; plane < planes; ++plane) {
          double part = 0;
#pragma omp parallel for schedule(static) num_threads(inner_) reduction(+ : part)
          for (int row = begin; row < rows; ++row) part += work(plane, row);
          total += part;
        }
        return total;
    }
    return total;
  }

 private:
  enum class way { serial, flat, nested };
  row_loops(way chosen, int inner) : way_(chosen), inner_(inner) {
    if (way_ == way::nested) omp_set_max_active_levels(2);
  }

  way way_;
  int inner_;
};

}  // namespace bench::openmp
