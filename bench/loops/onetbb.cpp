// SPDX-License-Identifier: Apache-2.0
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/parallel_scan.h>

#include "common/chosen_system.hpp"

#include <functional>

#include "loops/problem.hpp"

namespace {

using namespace bench::loops;
using range = tbb::blocked_range<std::size_t>;

constexpr auto for_each = [](std::uint32_t* cells, std::size_t n) {
  tbb::parallel_for(
      range(0, n), [cells](const range& piece) { kernel::add(cells, piece.begin(), piece.end()); });
};

constexpr auto sum = []<class T>(const T* in, std::size_t n) {
  return tbb::parallel_reduce(
      range(0, n), T{0},
      [in](const range& piece, T before) {
        return before + kernel::sum(in, piece.begin(), piece.end());
      },
      std::plus<T>());
};

constexpr auto scan = []<class T>(const T* in, T* out, std::size_t n) {
  return tbb::parallel_scan(
      range(0, n), T{0},
      [in, out](const range& piece, T before, bool is_final) {
        if (is_final) return kernel::scan(in, out, piece.begin(), piece.end(), before);
        return before + kernel::sum(in, piece.begin(), piece.end());
      },
      std::plus<T>());
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run<bench::chosen_system, problem>(argc, argv, every_loop(for_each, sum, scan));
}
