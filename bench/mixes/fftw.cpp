// SPDX-License-Identifier: Apache-2.0
// FFTW with threads, between loops of OpenMP: a mix of mixes.py.
//
//     fftw CALLERS      prints seconds and one number of the result
#include <fftw3.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int size = 1 << 18;
std::mutex planner;  // plans are made by one thread at a time

struct transform {
  fftw_complex* values = fftw_alloc_complex(size);
  fftw_plan plan;

  transform() {
    const std::scoped_lock hold(planner);
    plan = fftw_plan_dft_1d(size, values, values, FFTW_FORWARD, FFTW_ESTIMATE);
  }
  transform(const transform&) = delete;
  ~transform() {
    const std::scoped_lock hold(planner);
    fftw_destroy_plan(plan);
    fftw_free(values);
  }
};

double work(transform& t) {
  double sum = 0;
  for (int round = 0; round != 10; ++round) {
#pragma omp parallel for
    for (int i = 0; i < size; ++i) {
      t.values[i][0] = std::sin(0.001 * i + round);
      t.values[i][1] = 0;
    }
    fftw_execute(t.plan);
    double part = 0;
    for (int i = 0; i < size; i += 1024) part += std::abs(t.values[i][0]);
    sum += part;
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const int callers = argc > 1 ? std::atoi(argv[1]) : 1;
  if (callers < 1) {
    std::fprintf(stderr, "fftw: CALLERS %s: accepted: a whole number from 1\n", argv[1]);
    return 2;
  }
  fftw_init_threads();
  fftw_plan_with_nthreads(static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
  std::vector<transform> transforms(static_cast<std::size_t>(callers));
  work(transforms[0]);
  std::vector<double> results(transforms.size());
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i != transforms.size(); ++i)
    threads.emplace_back([&, i] { results[i] = work(transforms[i]); });
  for (std::thread& each : threads) each.join();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const bool alike = std::ranges::count(results, results[0]) == callers;
  std::printf("%f ", seconds.count());
  alike ? std::printf("%.17g\n", results[0]) : std::printf("differ\n");
}
