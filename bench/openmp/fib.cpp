// SPDX-License-Identifier: Apache-2.0
// fib(n): a task for every call; an undeferred one below a limit (`if`); a plain call below it.

#include "fib/problem.hpp"

#include <string>
#include <vector>

#include "openmp/resized.hpp"
#include "openmp/runtime.hpp"

namespace {

constexpr long limit = 18;

long serial(long n) { return n < 2 ? n : serial(n - 1) + serial(n - 2); }

long every_call(long n) {
  if (n < 2) return n;
  long a;
#pragma omp task shared(a)
  a = every_call(n - 1);
  const long b = every_call(n - 2);
#pragma omp taskwait
  return a + b;
}

long undeferred_below(long n) {
  if (n < 2) return n;
  long a;
#pragma omp task shared(a) if (n > limit)
  a = undeferred_below(n - 1);
  const long b = undeferred_below(n - 2);
#pragma omp taskwait
  return a + b;
}

long plain_below(long n) {
  if (n <= limit) return serial(n);
  long a;
#pragma omp task shared(a)
  a = plain_below(n - 1);
  const long b = plain_below(n - 2);
#pragma omp taskwait
  return a + b;
}

struct problem : bench::fib::problem {
  static constexpr const char* name = "openmp-fib";

  explicit problem(const bench::arguments& args)
      : bench::fib::problem(
            bench::openmp::resized(args, full(args.variant), full(args.variant) - 4)),
        is_cut_off(args.variant == "cutoff") {}
  problem rehearsal() const { return bench::openmp::rehearsed<bench::fib::problem>(*this); }

  /// The cost of a task where there is one for each call, the time where it is the work's.
  std::vector<bench::metric> metrics(double seconds, long result) const {
    if (is_cut_off) return bench::openmp::only_time(seconds);
    return {{"time", "s", seconds},
            {"time-per-task", "ns", bench::fib::problem::metrics(seconds, result)[0].value}};
  }

  bool is_cut_off;

 private:
  static long full(const std::string& variant) {
    return variant == "cutoff" ? 38 : variant == "if-cutoff" ? 30 : 26;
  }
};

}  // namespace

int main(int argc, char** argv) {
  using bench::openmp::in_single;
  return bench::openmp::run<problem>(
      argc, argv,
      {{"no-cutoff", [](problem& p) { return in_single([&] { return every_call(p.n); }); }},
       {"if-cutoff", [](problem& p) { return in_single([&] { return undeferred_below(p.n); }); }},
       {"cutoff", [](problem& p) { return in_single([&] { return plain_below(p.n); }); }}});
}
