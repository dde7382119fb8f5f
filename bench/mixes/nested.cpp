// SPDX-License-Identifier: Apache-2.0
// std::execution::par, OpenMP and BLAS, nested in each other in each order: a mix of mixes.py.
//
//     nested CALLERS      prints seconds and one number of the result
#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <execution>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

namespace {

constexpr int parts = 4;
constexpr int order = 160;

/// A product of two matrices; the sum of its elements.
double blas() {
  std::vector<double> a(order * order), c(order * order);
  for (int i = 0; i != order * order; ++i) a[i] = i % 17;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, order, order, order, 1, a.data(), order,
              a.data(), order, 0, c.data(), order);
  return std::accumulate(c.begin(), c.end(), 0.0);
}

double openmp(const std::function<double()>& inner) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < parts; ++i) {
    std::vector<double> values(20000);
    for (std::size_t k = 0; k != values.size(); ++k) values[k] = static_cast<double>(k % (i + 2));
    sum += std::accumulate(values.begin(), values.end(), 0.0) + inner();
  }
  return sum;
}

double standard(const std::function<double()>& inner) {
  std::vector<int> numbers(parts);
  std::iota(numbers.begin(), numbers.end(), 0);
  return std::transform_reduce(
      std::execution::par, numbers.begin(), numbers.end(), 0.0, std::plus<>(), [&](int i) {
        std::vector<int> values(20000);
        for (std::size_t k = 0; k != values.size(); ++k)
          values[k] = static_cast<int>((k * 7919 + static_cast<std::size_t>(i)) % 10007);
        std::sort(std::execution::par, values.begin(), values.end());
        return values[values.size() / 2] + inner();
      });
}

double none() { return 0; }

/// BLAS has no callback: it stands inside.
double work() {
  double sum = 0;
  for (int i = 0; i != 5; ++i) {
    sum += openmp([] { return standard(blas); });
    sum += standard([] { return openmp(blas); });
    sum += openmp([] { return openmp(blas); }) + standard([] { return standard(none); });
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const int callers = argc > 1 ? std::atoi(argv[1]) : 1;
  if (callers < 1) {
    std::fprintf(stderr, "nested: CALLERS %s: accepted: a whole number from 1\n", argv[1]);
    return 2;
  }
  work();
  std::vector<double> results(static_cast<std::size_t>(callers));
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (double& each : results) threads.emplace_back([&each] { each = work(); });
  for (std::thread& each : threads) each.join();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const bool alike = std::ranges::count(results, results[0]) == callers;
  std::printf("%f ", seconds.count());
  alike ? std::printf("%.17g\n", results[0]) : std::printf("differ\n");
}
