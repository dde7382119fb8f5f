// SPDX-License-Identifier: Apache-2.0
// The task graph of cilksort, cut off at 16384 elements: quarters are sorted and merged in pairs;
// merges are split by a search. With --data each leaf gets its elements from where they lie in a
// blocked distribution and puts them there, without a cache; the searches read across the network.

#include <algorithm>
#include <bit>
#include <vector>

#include "cluster/process.hpp"
#include "kasuri/global/invoke.hpp"
#include "machine.hpp"

namespace kasuri::tools::cluster {
namespace {

constexpr std::uint64_t cutoff = 16384;
constexpr std::uint64_t element = 4;  // bytes
constexpr double sort_ns = 2.6;       // for each element and level of a leaf's sort, std::sort here
constexpr double merge_ns = 4.5;      // for each element of a leaf's merge, std::merge here

struct graph {
  std::uint64_t n;
  bool data;
};

// Two halves of each rank's window: what others read, what others write.
constexpr std::size_t half = cutoff * element;
std::vector<kasuri::cluster::window> windows;
std::vector<std::byte> scratch;

kasuri::cluster::transport& net() { return *kasuri::cluster::current_process->network; }

int home(const graph& g, std::uint64_t at) {
  const auto p = static_cast<std::uint64_t>(net().size());
  return static_cast<int>(std::min(p - 1, at * p / g.n));
}

/// Elements from `at` on come or go.
void move(const graph& g, std::uint64_t at, std::uint64_t n, bool in) {
  if (!g.data) return;
  settle();
  const auto& w = windows[static_cast<std::size_t>(net().rank())];
  const int target = home(g, at);
  if (target == net().rank()) return;
  if (in)
    net().get(target, w, 0, scratch.data(), n * element);
  else
    net().put(target, w, half, scratch.data(), n * element);
  net().flush(target);
}

void leaf_sort(const graph& g, std::uint64_t at, std::uint64_t n) {
  move(g, at, n, true);
  compute(static_cast<std::uint64_t>(sort_ns * static_cast<double>(n) * std::bit_width(n)));
  move(g, at, n, false);
}

/// Merges what lies at `a` and `b`, n elements in all.
void merge(graph g, std::uint64_t a, std::uint64_t b, std::uint64_t n) {
  if (n <= cutoff) {
    move(g, a, n / 2, true);
    move(g, b, n - n / 2, true);
    compute(static_cast<std::uint64_t>(merge_ns * static_cast<double>(n)));
    move(g, a, n, false);
    return;
  }
  const int steps = std::bit_width(n) - 10;  // the last ones stay within a block
  for (int i = 0; i < steps; ++i) {
    if (g.data)
      move(g, b + n / 2 / static_cast<std::uint64_t>(i + 2), 16, true);
    else
      compute(100);
  }
  const std::uint64_t first = n / 2;
  global::parallel_invoke([=] { merge(g, a, b, first); },
                          [=] { merge(g, a + first / 2, b + first / 2, n - first); });
}

void sort(graph g, std::uint64_t at, std::uint64_t n) {
  if (n <= cutoff) return leaf_sort(g, at, n);
  const std::uint64_t q = n / 4;
  const std::uint64_t rest = n - 3 * q;
  global::parallel_invoke(
      [=] {
        global::parallel_invoke([=] { sort(g, at, q); }, [=] { sort(g, at + q, q); });
        merge(g, at, at + q, 2 * q);
      },
      [=] {
        global::parallel_invoke([=] { sort(g, at + 2 * q, q); }, [=] { sort(g, at + 3 * q, rest); });
        merge(g, at + 2 * q, at + 3 * q, q + rest);
      });
  merge(g, at, at + n / 2, n);
}

}  // namespace

measured cilksort(const setup& s) {
  windows.assign(static_cast<std::size_t>(s.ranks), {});
  scratch.resize(half);
  return run(
      s,
      [&s](int rank, kasuri::cluster::transport& to) {
        if (s.data) windows[static_cast<std::size_t>(rank)] = to.allocate(2 * half);
      },
      [](const setup& how) {
        const graph g{how.size > 0 ? static_cast<std::uint64_t>(how.size) : 1'000'000'000, how.data};
        sort(g, 0, g.n);
      });
}

}  // namespace kasuri::tools::cluster
