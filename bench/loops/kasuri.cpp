// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include <functional>

#include "loops/problem.hpp"

namespace {

using namespace bench::loops;
using range = kasuri::blocked_range<std::size_t>;

constexpr auto for_each = [](std::uint32_t* cells, std::size_t n) {
  kasuri::parallel_for(
      range(0, n), [cells](const range& piece) { kernel::add(cells, piece.begin(), piece.end()); });
};

constexpr auto sum = []<class T>(const T* in, std::size_t n) {
  return kasuri::parallel_reduce(
      range(0, n), T{0},
      [in](const range& piece, T before) {
        return before + kernel::sum(in, piece.begin(), piece.end());
      },
      std::plus<T>());
};

/// There is no scan by pieces: its loops are the library's own.
constexpr auto scan = []<class T>(const T* in, T* out, std::size_t n) {
  return kasuri::parallel_scan(in, in + n, out, T{0});
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run<bench::chosen_system, problem>(argc, argv, every_loop(for_each, sum, scan));
}
