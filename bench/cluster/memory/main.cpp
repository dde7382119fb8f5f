// SPDX-License-Identifier: Apache-2.0
// What access to global memory costs: on one rank, and on two, where rank 0 measures against memory
// whose home is rank 1. Each figure is the best of some repetitions.
//
//   kasuri run -n 2 --cluster bench_cluster_memory

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "kasuri/global/checkout.hpp"
#include "kasuri/global/run.hpp"
#include "kasuri/global/start.hpp"
#include "kasuri/global/vector.hpp"

namespace {

using namespace kasuri;
using word = std::uint64_t;

constexpr std::size_t block = 4096 / sizeof(word);
constexpr std::size_t piece = 65536 / sizeof(word);

volatile word sink;

/// Nanoseconds of f() for each of `count` things that it does.
template <class F>
double once(std::size_t count, F f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  return taken.count() / static_cast<double>(count);
}

template <class F>
double best(int times, std::size_t count, F f) {
  double least = once(count, f);
  for (int i = 1; i < times; ++i) least = std::min(least, once(count, f));
  return least;
}

void print(const char* what, double ns) { std::printf("%-48s %10.1f ns\n", what, ns); }

template <class Mode>
double checkouts(global::ptr<word> p, std::size_t blocks, std::size_t stride, Mode mode) {
  constexpr std::size_t n = 1'000'000;
  return best(7, n, [&] {
    for (std::size_t i = 0; i != n; ++i) {
      const auto at = p + static_cast<std::ptrdiff_t>(i % blocks * stride);
      const auto x = global::checkout(at, 1, mode);
      sink = reinterpret_cast<word>(x.data());
    }
  });
}

/// Pieces of 64 KB, one after the other, over all of the view.
template <class Mode>
double stream(global::view<word> v, Mode mode) {
  const std::size_t pieces = v.size() / piece;
  return best(3, pieces, [&] {
    for (std::size_t i = 0; i != pieces; ++i) {
      const auto x = global::checkout(v.subview(i * piece, piece), mode);
      sink = x[0];
    }
  });
}

void measure_far(global::view<word> far) {
  constexpr std::size_t touched = 4096;
  print("first touch of a block, 8 bytes", once(touched, [&] {
          for (std::size_t i = 0; i != touched; ++i) sink = global::get(far.begin() + i * block);
        }));
  print("cached, the same block again, read", checkouts(far.begin(), 1, 0, global::read));
  print("cached, the same block again, write", checkouts(far.begin(), 1, 0, global::read_write));
  print("cached, one of 16 blocks, read", checkouts(far.begin(), 16, piece, global::read));
  print("past the cache, 64 KB, read", stream(far, global::read));
  print("past the cache, 64 KB, write", stream(far, global::write));
}

/// Rank 1 writes what rank 0 then misses. Collective.
void measure_misses(global::view<word> far) {
  constexpr std::size_t blocks = 2000;
  double least = 1e30;
  for (int round = 0; round != 6; ++round) {
    if (global::rank() == 1)
      for (std::size_t i = 0; i != blocks; ++i) global::put(far.begin() + i * block, i);
    global::run([] {});
    if (global::rank() == 0) {
      const double ns = once(blocks, [&] {
        for (std::size_t i = 0; i != blocks; ++i) sink = global::get(far.begin() + i * block);
      });
      if (round != 0) least = std::min(least, ns);  // then the blocks have their memory
    }
    global::run([] {});
  }
  if (global::rank() == 0) print("miss of 8 bytes in a block that was here", least);
}

}  // namespace

int main() {
  // The cache holds a quarter of what is streamed when KASURI_CACHE_SIZE is 32M.
  const std::size_t n = (std::size_t{256} << 20) / sizeof(word);
  const global::vector<word> v(n);
  const global::view<word> near = v.view().subview(0, n / 2);
  const global::view<word> far = v.view().subview(n / 2, n / 2);
  const int last = global::num_ranks() - 1;
  if (global::rank() == last)
    for (auto& x : global::checkout(far, global::write)) x = 1;
  global::run([] {});
  if (global::rank() == 0) {
    std::printf("%d ranks\n", global::num_ranks());
    print("home, read", checkouts(near.begin(), 1, 0, global::read));
    print("home, write", checkouts(near.begin(), 1, 0, global::read_write));
    if (last != 0) measure_far(far);
  }
  global::run([] {});
  if (last != 0) measure_misses(far.subview(0, n / 8));
}
