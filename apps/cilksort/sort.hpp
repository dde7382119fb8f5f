// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <kasuri/global/algorithm/search.hpp>
#include <kasuri/global/checkout.hpp>
#include <kasuri/global/invoke.hpp>
#include <kasuri/global/vector.hpp>

#include "cilksort/leaf.hpp"
#include "cluster/meter.hpp"

/// Cilk's merge sort over global memory: quarters, and merges divided by binary search.
/// Source: the example of that name in Frigo, Leiserson and Randall's Cilk-5 (PLDI 1998).
namespace cilksort {

namespace global = kasuri::global;
using keys = global::view<key>;

struct grain {
  std::size_t cutoff;
  leaf_sort leaf;
};

inline void merge_leaf(keys a, keys b, keys out) {
  const auto [x, y, to] =
      global::checkout_all(global::request(a.begin(), a.size(), global::read),
                           global::request(b.begin(), b.size(), global::read),
                           global::request(out.begin(), out.size(), global::write));
  merge_keys(x.begin(), x.end(), y.begin(), y.end(), to.begin());
}

/// The longer one is halved, the other cut where its half belongs.
inline void merge(keys a, keys b, keys out, grain g) {
  if (out.size() <= g.cutoff) return merge_leaf(a, b, out);
  if (a.size() < b.size()) return merge(b, a, out, g);
  const std::size_t i = a.size() / 2;
  const key middle = global::get(a.begin() + i);
  const auto j = static_cast<std::size_t>(global::lower_bound(b, middle) - b.begin());
  const auto first = [=] { merge(a.subview(0, i), b.subview(0, j), out.subview(0, i + j), g); };
  const auto second = [=] {
    merge(a.subview(i, a.size() - i), b.subview(j, b.size() - j),
          out.subview(i + j, out.size() - (i + j)), g);
  };
  global::parallel_invoke(global::share(static_cast<double>(i + j), first),
                          global::share(static_cast<double>(out.size() - (i + j)), second));
}

inline void sort_leaf(keys v, leaf_sort how) {
  const auto x = global::checkout(v, global::read_write);
  sort_keys(x.begin(), x.size(), how);
}

/// Sorts `v` in place with as much room beside it.
inline void sort(keys v, keys room, grain g, apps::part share) {
  const std::size_t n = v.size();
  if (n <= g.cutoff) {
    sort_leaf(v, g.leaf);
    return share.done();
  }
  const std::size_t half = n / 2;
  const std::size_t quarter = n / 4;
  const std::size_t last = n - half - quarter;
  // Each key is moved once in a level, and there are two levels of merges.
  const auto levels = static_cast<std::uint64_t>(std::bit_width(n));
  const apps::part quarters = share.pieces(levels - 2, 4 * levels);
  const apps::part merges = share.pieces(1, 2 * levels);
  const auto part = [=](std::size_t at, std::size_t size) {
    sort(v.subview(at, size), room.subview(at, size), g, quarters);
  };
  const auto join = [=](std::size_t at, std::size_t a, std::size_t b) {
    merge(v.subview(at, a), v.subview(at + a, b), room.subview(at, a + b), g);
    merges.done();
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
  merge(room.subview(0, half), room.subview(half, n - half), v, g);
  if (!quarters) return share.done();
  merges.done();
  merges.done();
}

}  // namespace cilksort
