// SPDX-License-Identifier: Apache-2.0
// Times of a stock oneTBB, in ns or ms: `onetbb loop|short|fib|sort|mix`. Each checks what it has
// computed and prints the smallest of several times.
#include <oneapi/tbb.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void expect(bool right) {
  if (right) return;
  std::fputs("wrong result\n", stderr);
  std::exit(1);
}

/// The smallest time of `times` calls.
template <class Call>
double best(int times, Call call) {
  double least = 1e9;
  for (int i = 0; i != times; ++i) {
    const double from = seconds();
    call();
    least = std::min(least, seconds() - from);
  }
  return least;
}

std::uint64_t work(std::uint64_t x, int steps) {
  for (int i = 0; i != steps; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
  return x;
}

void loop() {
  constexpr int n = 200'000;
  std::vector<std::uint64_t> out(n);
  const double t = best(10, [&] {
    tbb::parallel_for(0, n, [&](int i) { out[i] = work(static_cast<std::uint64_t>(i), 300); });
  });
  for (int i = 0; i < n; i += 997) expect(out[i] == work(static_cast<std::uint64_t>(i), 300));
  std::printf("%.3f ms a loop of 200,000\n", t * 1e3);
}

void short_loops() {
  constexpr int loops = 20'000;
  std::vector<std::uint64_t> out(64);
  const double t = best(5, [&] {
    for (int k = 0; k != loops; ++k)
      tbb::parallel_for(0, 64,
                        [&](int i) { out[i] = work(static_cast<std::uint64_t>(i + k), 50); });
  });
  for (int i = 0; i != 64; ++i)
    expect(out[i] == work(static_cast<std::uint64_t>(i + loops - 1), 50));
  std::printf("%.3f us a loop of 64\n", t / loops * 1e6);
}

std::uint64_t fib(unsigned n) {
  if (n < 2) return n;
  std::uint64_t a = 0;
  tbb::task_group g;
  g.run([&] { a = fib(n - 1); });
  const std::uint64_t b = fib(n - 2);
  g.wait();
  return a + b;
}

void fib_of_groups() {
  std::uint64_t result = 0;
  const double t = best(5, [&] { result = fib(27); });
  expect(result == 196418);
  std::printf("%.1f ns a task\n", t / 317810 * 1e9);
}

void sort() {
  std::mt19937 random(1);
  std::vector<std::uint32_t> all(2'000'000);
  for (std::uint32_t& each : all) each = random();
  std::vector<std::uint32_t> right = all;
  std::sort(right.begin(), right.end());
  double least = 1e9;
  for (int i = 0; i != 5; ++i) {
    std::vector<std::uint32_t> mine = all;
    least = std::min(least, best(1, [&] { tbb::parallel_sort(mine.begin(), mine.end()); }));
    expect(mine == right);
  }
  std::printf("%.2f ms for 2,000,000\n", least * 1e3);
}

/// A loop of each in turn, as a program has them that uses libraries of both kinds.
void mix() {
  constexpr int rounds = 300;
  std::uint64_t sum = 0;
  std::vector<std::uint64_t> out(4096);
  const double t = best(5, [&] {
    for (int k = 0; k != rounds; ++k) {
      tbb::parallel_for(0, 4096, [&](int i) { out[i] = work(static_cast<std::uint64_t>(i), 300); });
      sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (int i = 0; i < 4096; ++i) sum += work(out[i], 300);
    }
  });
  std::uint64_t right = 0;
  for (int i = 0; i != 4096; ++i) right += work(work(static_cast<std::uint64_t>(i), 300), 300);
  expect(sum == right);
  std::printf("%.1f us a round of both\n", t / rounds * 1e6);
}

}  // namespace

int main(int, char** words) {
  const char* const what = words[1] != nullptr ? words[1] : "";
  if (std::strcmp(what, "loop") == 0) return loop(), 0;
  if (std::strcmp(what, "short") == 0) return short_loops(), 0;
  if (std::strcmp(what, "fib") == 0) return fib_of_groups(), 0;
  if (std::strcmp(what, "sort") == 0) return sort(), 0;
  if (std::strcmp(what, "mix") == 0) return mix(), 0;
  std::fputs("usage: onetbb loop|short|fib|sort|mix\n", stderr);
  return 2;
}
