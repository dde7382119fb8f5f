// SPDX-License-Identifier: Apache-2.0
// oneTBB's algorithms.
#include <oneapi/tbb.h>

#include <atomic>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cases.hpp"

namespace {

std::vector<std::uint32_t> numbers(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> all(n);
  for (std::uint32_t& each : all) each = random();
  return all;
}

std::uint64_t fib(unsigned n) {
  if (n < 2) return n;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  tbb::task_group g;
  g.run([&] { a = fib(n - 1); });
  b = fib(n - 2);
  g.wait();
  return a + b;
}

}  // namespace

void parallel_for() {
  for (std::size_t n : {0u, 1u, 7u, 1000u, 300'000u}) {
    std::vector<std::uint32_t> in = numbers(n, 1);
    std::vector<std::uint64_t> out(n);
    tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) { out[i] = std::uint64_t{in[i]} * i; });
    for (std::size_t i = 0; i != n; ++i) CHECK(out[i] == std::uint64_t{in[i]} * i);
    const auto sum = tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, n), std::uint64_t{0},
        [&](const auto& r, std::uint64_t s) {
          for (std::size_t i = r.begin(); i != r.end(); ++i) s += in[i];
          return s;
        },
        std::plus<>());
    CHECK(sum == std::accumulate(in.begin(), in.end(), std::uint64_t{0}));
  }
  // Nested, and many short ones behind each other: workers come and go.
  std::atomic<std::uint64_t> total{0};
  tbb::parallel_for(0, 40, [&](int i) {
    tbb::parallel_for(0, 50, [&](int j) { total += static_cast<std::uint64_t>(i * j); });
  });
  CHECK(total == 780u * 1225u);
  for (int round = 0; round != 2000; ++round) {
    std::atomic<int> seen{0};
    tbb::parallel_for(0, 8, [&](int) { ++seen; }, tbb::simple_partitioner());
    CHECK(seen == 8);
  }
}

void task_group() { CHECK(fib(22) == 17711); }

void sort_and_scan() {
  std::vector<std::uint32_t> a = numbers(200'000, 2);
  std::vector<std::uint32_t> b = a;
  std::sort(a.begin(), a.end());
  tbb::parallel_sort(b.begin(), b.end());
  CHECK(a == b);
  std::vector<std::uint64_t> sums(a.size());
  tbb::parallel_scan(
      tbb::blocked_range<std::size_t>(0, a.size()), std::uint64_t{0},
      [&](const auto& r, std::uint64_t s, bool last) {
        for (std::size_t i = r.begin(); i != r.end(); ++i) {
          s += a[i];
          if (last) sums[i] = s;
        }
        return s;
      },
      std::plus<>());
  std::uint64_t s = 0;
  for (std::size_t i = 0; i != a.size(); ++i) CHECK(sums[i] == (s += a[i]));
}

void pipeline() {
  int next = 0;
  std::vector<int> in_order;
  tbb::parallel_pipeline(
      8,
      tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& end) {
        if (next == 5000) end.stop();
        return next++;
      }) & tbb::make_filter<int, int>(tbb::filter_mode::parallel, [](int i) {
        return i * 3;
      }) & tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [&](int i) {
        in_order.push_back(i);
      }));
  CHECK(in_order.size() == 5000);
  for (int i = 0; i != 5000; ++i) CHECK(in_order[static_cast<std::size_t>(i)] == i * 3);
}

void flow_graph() {
  tbb::flow::graph g;
  std::atomic<long> sum{0};
  tbb::flow::function_node<int, long> square(g, tbb::flow::unlimited,
                                             [](int i) { return long{i} * i; });
  tbb::flow::function_node<long> add(g, tbb::flow::serial, [&](long v) { sum += v; });
  tbb::flow::make_edge(square, add);
  for (int i = 0; i != 2000; ++i) square.try_put(i);
  g.wait_for_all();
  CHECK(sum == 1999L * 2000 * 3999 / 6);
}

void exceptions() {
  for (int round = 0; round != 50; ++round) {
    bool caught = false;
    try {
      tbb::parallel_for(0, 1000, [&](int i) {
        if (i == 17 * (round % 50) + 3) throw std::runtime_error("thrown");
      });
    } catch (const std::runtime_error& e) {
      caught = std::strcmp(e.what(), "thrown") == 0;
    }
    CHECK(caught);
  }
  tbb::task_group g;
  g.run([] { throw 7; });
  int value = 0;
  try {
    g.wait();
  } catch (int v) {
    value = v;
  }
  CHECK(value == 7);
}

void cancel() {
  tbb::task_group_context context;
  std::atomic<int> ran{0};
  tbb::parallel_for(
      tbb::blocked_range<int>(0, 1'000'000, 1),
      [&](const auto&) {
        if (++ran == 10) context.cancel_group_execution();
      },
      tbb::simple_partitioner(), context);
  CHECK(context.is_group_execution_cancelled());
  CHECK(ran >= 10 && ran < 1'000'000);
}

void resumable() {
  // The point is resumed by a thread of the program, in tasks that other tasks wait for.
  std::atomic<int> done{0};
  tbb::parallel_for(0, 32, [&](int) {
    std::thread waker;
    tbb::task::suspend([&](tbb::task::suspend_point point) {
      waker = std::thread([point] {
        std::this_thread::yield();
        tbb::task::resume(point);
      });
    });
    waker.join();
    ++done;
  });
  CHECK(done == 32);
}
