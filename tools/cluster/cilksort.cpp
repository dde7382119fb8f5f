// SPDX-License-Identifier: Apache-2.0
// The task graph of apps/cilksort, cut off at 16384 elements: quarters are sorted and merged in
// pairs; merges are split by a search. The elements have no values: a search ends where that of
// random keys is expected to. With data, searches and leaves check out what they touch of two
// arrays in global memory; without, the graph alone is run.

#include <bit>
#include <optional>
#include <vector>

#include "cluster/base/process.hpp"
#include "cluster/memory/memory.hpp"
#include "kasuri/global/algorithm/search.hpp"
#include "kasuri/global/checkout.hpp"
#include "kasuri/global/invoke.hpp"
#include "kasuri/global/share.hpp"
#include "machine.hpp"

namespace kasuri::tools::cluster {
namespace {

using key = std::uint32_t;
using keys = global::view<key>;

constexpr std::uint64_t cutoff = 16384;
constexpr double sort_ns = 2.6;   // for each element and level of a leaf's sort, std::sort here
constexpr double merge_ns = 4.5;  // for each element of a leaf's merge, std::merge here
constexpr std::uint64_t look_ns = 100;  // for each step of a search

// The same at all ranks.
keys data, room;

template <class T>
void compute_each(double each_ns, std::size_t n, T levels) {
  tools::cluster::compute(
      static_cast<std::uint64_t>(each_ns * static_cast<double>(n) * static_cast<double>(levels)));
}

void leaf_sort(keys v, bool moves) {
  if (!moves) return compute_each(sort_ns, v.size(), std::bit_width(v.size()));
  settle();
  const auto x = global::checkout(v, global::read_write);
  compute_each(sort_ns, v.size(), std::bit_width(v.size()));
  settle();
}

void leaf_merge(keys a, keys b, keys out, bool moves) {
  if (!moves) return compute_each(merge_ns, out.size(), 1);
  settle();
  const auto all =
      global::checkout_all(global::request(a, global::read), global::request(b, global::read),
                           global::request(out, global::write));
  compute_each(merge_ns, out.size(), 1);
  settle();
}

/// Looks at one element.
void look(keys v, std::size_t at, bool moves) {
  tools::cluster::compute(look_ns);
  if (!moves) return;
  settle();
  (void)global::checkout(v.begin() + static_cast<std::ptrdiff_t>(at), 1, global::read);
}

/// The search for a key that belongs to place `found` of v.
void search(keys v, std::size_t found, bool moves) {
  const auto begin = [=](std::size_t at) {
    if (!moves) return global::begun_checkout<key, global::read_t>();
    settle();
    return global::begin_checkout(v.begin() + at, 1, global::read);
  };
  global::detail::first_past(0, v.size(), begin, [=](std::size_t at) {
    look(v, at, moves);
    return at < found;
  });
}

void merge(keys a, keys b, keys out, bool moves) {
  if (out.size() <= cutoff) return leaf_merge(a, b, out, moves);
  const std::size_t i = a.size() / 2;
  const std::size_t j = b.size() / 2;
  look(a, i, moves);
  search(b, j, moves);
  const std::size_t rest = out.size() - (i + j);
  global::parallel_invoke(
      global::share(static_cast<double>(i + j),
                    [=] { merge(a.subview(0, i), b.subview(0, j), out.subview(0, i + j), moves); }),
      global::share(static_cast<double>(rest), [=] {
        merge(a.subview(i, a.size() - i), b.subview(j, b.size() - j), out.subview(i + j, rest),
              moves);
      }));
}

void sort(keys v, keys beside, bool moves) {
  const std::size_t n = v.size();
  if (n <= cutoff) return leaf_sort(v, moves);
  const std::size_t half = n / 2;
  const std::size_t quarter = n / 4;
  const std::size_t last = n - half - quarter;
  const auto part = [=](std::size_t at, std::size_t size) {
    sort(v.subview(at, size), beside.subview(at, size), moves);
  };
  const auto join = [=](std::size_t at, std::size_t x, std::size_t y) {
    merge(v.subview(at, x), v.subview(at + x, y), beside.subview(at, x + y), moves);
  };
  global::parallel_invoke(
      [=] {
        global::parallel_invoke([=] { part(0, quarter); }, [=] { part(quarter, half - quarter); });
        join(0, quarter, half - quarter);
      },
      [=] {
        global::parallel_invoke([=] { part(half, quarter); }, [=] { part(half + quarter, last); });
        join(half, quarter, last);
      });
  merge(beside.subview(0, half), beside.subview(half, n - half), v, moves);
}

std::size_t elements(const setup& s) {
  return s.size > 0 ? static_cast<std::size_t>(s.size) : 1'000'000'000;
}

}  // namespace

measured cilksort(const setup& s) {
  const std::size_t n = elements(s);
  setup with = s;
  with.array_bytes = 2 * n * sizeof(key);
  data = keys(nullptr, n);
  room = data;
  return run(
      with,
      [&](kasuri::cluster::memory& m) {
        const auto array = [&] {
          return keys(global::ptr<key>::at(m.arrays().add_blocked(n * sizeof(key))), n);
        };
        const keys first = array();
        const keys second = array();
        data = first;
        room = second;
      },
      [](const setup& how) { sort(data, room, how.data); });
}

}  // namespace kasuri::tools::cluster
