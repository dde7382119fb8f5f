// SPDX-License-Identifier: Apache-2.0
// fib(27) with a fork for every call. A fork costs what the processor time of the whole says, each
// as much, so the span is that of so many forks as there are in the longest chain. Only where it
// runs on one worker, and without a recording, is its count the truth.
#include <kasuri/kasuri.hpp>

#include "../count.h"

namespace {

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] =
      kasuri::parallel_invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

long forks_of(int n) { return n < 2 ? 0 : 1 + forks_of(n - 1) + forks_of(n - 2); }

}  // namespace

int main(int argc, char** argv) {
  constexpr int number = 27;
  const long n = read_repetitions(argc, argv);
  const std::uint64_t before = ns_of_clock(CLOCK_PROCESS_CPUTIME_ID);
  kasuri::run([=] {
    long sum = 0;
    for (long i = 0; i != n; ++i) sum += fib(number);
    return sum;
  });
  const double work = 1e-9 * static_cast<double>(ns_of_clock(CLOCK_PROCESS_CPUTIME_ID) - before);
  return print_figures(work, work * (number - 1) / static_cast<double>(forks_of(number)));
}
