// SPDX-License-Identifier: Apache-2.0
#include "common/massivethreads.hpp"

#include "common/thread_model.hpp"
#include "fib/problem.hpp"

int main(int argc, char** argv) {
  using bench::fib::problem;
  using threads = bench::massivethreads_system;
  return bench::run<threads, problem>(
      argc, argv,
      {{"child_first", [](problem& p) { return bench::thread_model::fib<threads>::of(p.n); }}});
}
