// SPDX-License-Identifier: Apache-2.0
#include <omp.h>
#include <sys/resource.h>

#include <algorithm>
#include <string>

#include "loops/problem.hpp"

namespace {

using namespace bench::loops;

/// A parallel region for each call, unlike the one around all tasks of the common model.
class openmp_regions {
 public:
  static constexpr const char* name = BENCH_SYSTEM;
  static std::string version() { return "OpenMP " + std::to_string(_OPENMP); }

  explicit openmp_regions(int workers) {
    omp_set_dynamic(0);
    omp_set_num_threads(workers);
  }

  template <class F>
  void run(F&& f) {
    f();
  }
};

struct piece {
  std::size_t begin;
  std::size_t end;
};

/// What `schedule(static)` gives to the calling thread: the first pieces are longer by one where n
/// cannot be divided.
piece static_piece(std::size_t n) {
  const auto threads = static_cast<std::size_t>(omp_get_num_threads());
  const auto mine = static_cast<std::size_t>(omp_get_thread_num());
  const auto begin_of = [&](std::size_t i) { return n / threads * i + std::min(i, n % threads); };
  return {begin_of(mine), begin_of(mine + 1)};
}

constexpr auto for_each = [](std::uint32_t* cells, std::size_t n) {
#pragma omp parallel
  {
    const piece mine = static_piece(n);
    kernel::add(cells, mine.begin, mine.end);
  }
};

constexpr auto sum = []<class T>(const T* in, std::size_t n) {
  T total = 0;
#pragma omp parallel reduction(+ : total)
  {
    const piece mine = static_piece(n);
    total += kernel::sum(in, mine.begin, mine.end);
  }
  return total;
};

/// Leaves where a scan has no room: Clang's code keeps a copy of the elements on the stack. Asks
/// nothing for a scan that is too short for the question to be free.
void check_stack(std::size_t bytes) {
  constexpr std::size_t others = 1 << 18;
  constexpr std::size_t surely_fits = 1 << 20;
  if (bytes <= surely_fits) return;
  rlimit stack = {};
  if (!bench::compiler().starts_with("clang") || getrlimit(RLIMIT_STACK, &stack) != 0 ||
      stack.rlim_cur == RLIM_INFINITY || bytes + others <= stack.rlim_cur) {
    return;
  }
  bench::fail("loops: a scan of Clang needs " + std::to_string(bytes) +
                  " bytes of stack; the limit is " + std::to_string(stack.rlim_cur),
              bench::not_applicable);
}

/// The compiler makes two loops of the directive; there is no kernel in them. Clang 19's loops read
/// beyond the array where it has one element.
constexpr auto scan = []<class T>(const T* in, T* out, std::size_t n) {
  if (n == 1) return kernel::scan(in, out, 0, n, 0);
  check_stack(n * sizeof(T));
  T total = 0;
#pragma omp parallel for reduction(inscan, + : total)
  for (std::size_t i = 0; i < n; ++i) {
    total += in[i];
#pragma omp scan inclusive(total)
    out[i] = total;
  }
  return total;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run<openmp_regions, problem>(argc, argv, every_loop(for_each, sum, scan));
}
