// SPDX-License-Identifier: Apache-2.0
// oneTBB, OpenMP and the parallel algorithms of C++17 in each other.
#include <oneapi/tbb.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <execution>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "cases.hpp"

namespace {

constexpr std::int64_t sum_below(std::int64_t n) { return n * (n - 1) / 2; }

std::int64_t openmp_sum(std::int64_t n) {
  std::int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += i;
  return sum;
}

/// With barriers: its members are threads, not only calls.
std::int64_t openmp_rounds(int rounds) {
  std::int64_t sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  for (int i = 0; i < rounds; ++i) {
#pragma omp barrier
#pragma omp for
    for (int k = 0; k < 30; ++k) sum += k;
  }
  return sum;
}

std::int64_t tbb_sum(std::int64_t n) {
  return tbb::parallel_reduce(
      tbb::blocked_range<std::int64_t>(0, n), std::int64_t{0},
      [](const auto& r, std::int64_t s) {
        for (std::int64_t i = r.begin(); i != r.end(); ++i) s += i;
        return s;
      },
      std::plus<>());
}

std::int64_t stl_sum(std::int64_t n) {
  std::vector<std::int64_t> v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), std::int64_t{0});
  return std::transform_reduce(std::execution::par, v.begin(), v.end(), std::int64_t{0},
                               std::plus<>(), [](std::int64_t x) { return x; });
}

/// Nests the three in an order that `seed` says, `depth` deep; each level adds up the same numbers.
std::int64_t nested(unsigned seed, int depth) {
  if (depth == 0) return 1;
  const unsigned next = seed * 1664525u + 1013904223u;
  std::atomic<std::int64_t> sum{0};
  constexpr int width = 4;
  switch (seed >> 16 & 3u) {
    case 0: {
      tbb::parallel_for(0, width, [&](int i) { sum += nested(next + unsigned(i), depth - 1); });
      break;
    }
    case 1: {
#pragma omp parallel for num_threads(2)
      for (int i = 0; i < width; ++i) sum += nested(next + unsigned(i), depth - 1);
      break;
    }
    case 2: {
      std::vector<int> v(width);
      std::iota(v.begin(), v.end(), 0);
      std::for_each(std::execution::par, v.begin(), v.end(),
                    [&](int i) { sum += nested(next + unsigned(i), depth - 1); });
      break;
    }
    default: {
      tbb::task_group g;
      for (int i = 0; i != width; ++i)
        g.run([&, i] { sum += nested(next + unsigned(i), depth - 1); });
      g.wait();
    }
  }
  return sum;
}

std::int64_t power(std::int64_t base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

}  // namespace

void openmp_in_tbb() {
  for (int round = 0; round != 20; ++round) {
    std::atomic<int> right{0};
    tbb::parallel_for(
        0, 16,
        [&](int i) {
          right += openmp_sum(1000 + i) == sum_below(1000 + i);
          right += openmp_rounds(5) == 5 * sum_below(30);
        },
        tbb::simple_partitioner());
    CHECK(right == 32);
  }
  std::atomic<int> counted{0};
  tbb::parallel_for(0, 8, [&](int) {
#pragma omp parallel num_threads(4)
    {
      CHECK(omp_get_num_threads() == 4);
      ++counted;
    }
  });
  CHECK(counted == 32);
}

void tbb_in_openmp() {
  for (int round = 0; round != 20; ++round) {
    std::int64_t sum = 0;
#pragma omp parallel for num_threads(4) reduction(+ : sum)
    for (int i = 0; i < 16; ++i) sum += tbb_sum(5000 + i);
    std::int64_t expected = 0;
    for (int i = 0; i < 16; ++i) expected += sum_below(5000 + i);
    CHECK(sum == expected);
  }
  // In tasks, and with a barrier behind.
  std::atomic<std::int64_t> total{0};
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    for (int i = 0; i < 40; ++i) {
#pragma omp task
      total += tbb_sum(1000);
    }
#pragma omp barrier
    CHECK(total == 40 * sum_below(1000));
  }
}

void parallel_stl() {
  std::mt19937 random(5);
  std::vector<std::uint32_t> a(150'000);
  for (std::uint32_t& each : a) each = random();
  std::vector<std::uint32_t> b = a;
  std::sort(a.begin(), a.end());
  std::sort(std::execution::par, b.begin(), b.end());
  CHECK(a == b);
  std::shuffle(b.begin(), b.end(), random);
  std::stable_sort(std::execution::par, b.begin(), b.end());
  CHECK(a == b);
  CHECK(stl_sum(100'000) == sum_below(100'000));
  std::vector<std::uint64_t> in(a.begin(), a.end());
  std::vector<std::uint64_t> out(in.size());
  std::vector<std::uint64_t> serial(in.size());
  std::inclusive_scan(in.begin(), in.end(), serial.begin());
  std::inclusive_scan(std::execution::par, in.begin(), in.end(), out.begin(), std::plus<>(),
                      std::uint64_t{0});
  CHECK(out == serial);
}

void nested_everything() {
  omp_set_max_active_levels(4);
  for (unsigned seed = 1; seed != 40; ++seed) CHECK(nested(seed * 2654435761u, 4) == power(4, 4));
}

void application_threads() {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t != 8; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round != 40; ++round) {
        const std::int64_t n = 2000 + t * 10 + round;
        const std::int64_t sum = round % 3 == 0   ? tbb_sum(n)
                                 : round % 3 == 1 ? openmp_sum(n)
                                                  : stl_sum(n);
        right += sum == sum_below(n);
      }
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(right == 320);
}
