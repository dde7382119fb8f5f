// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// A global view divided by a property, in order.

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <type_traits>

#include "kasuri/global/algorithm/copy.hpp"
#include "kasuri/global/algorithm/scan.hpp"
#include "kasuri/global/algorithm/scratch.hpp"

namespace kasuri::global {
namespace detail {

/// Where the elements of one leaf go.
template <class T>
struct two_places {
  view<T> yes;
  view<T> no;
};

template <class T, class Predicate>
void divide_leaf(view<const T> from, two_places<T> to, Predicate& is) {
  const auto [in, yes, no] = checkout_all(request(from.begin(), from.size(), read),
                                          request(to.yes.begin(), to.yes.size(), write),
                                          request(to.no.begin(), to.no.size(), write));
  std::size_t taken = 0;
  std::size_t left = 0;
  for (const T& x : in) {
    if (is(x))
      yes[taken++] = x;
    else
      no[left++] = x;
  }
}

}  // namespace detail

/// Writes the elements x of `in` for which is(x) to the front of `out`, then the others; both keep
/// their order.
/// \param in   the input; its elements may be const
/// \param out  must be as long, and not overlap
/// \param is   callable with a const reference to an element; called twice for each, and must say
///             the same both times
/// \param p    see policy; a leaf is one checkout
/// \return the first of the others in `out`
/// \throws whatever is throws; global::error where the global heap (KASURI_GLOBAL_HEAP) of the
///         calling process has no room for a word a leaf; what checkout throws
template <class In, class T, class Predicate>
  requires(std::is_same_v<std::remove_const_t<In>, T>)
ptr<T> partition_copy(view<In> in, view<T> out, Predicate is, policy p = {}) {
  detail::check_closures<Predicate>();
  const std::size_t leaf = detail::leaf_for<T>(p);
  const std::size_t n = in.size();
  if (n == 0) return out.begin();
  const detail::scratch<std::size_t> room(detail::leaves_of(n, leaf));
  const view<std::size_t> counts = room.view();
  detail::each_leaf(0, n, leaf, [=](std::size_t lo, std::size_t hi) {
    const auto x = checkout(in.subview(lo, hi - lo), read);
    put(counts.begin() + lo / leaf,
        static_cast<std::size_t>(std::count_if(x.begin(), x.end(), is)));
  });
  const std::size_t all = detail::prefixes(counts, std::size_t{0}, std::plus<>());
  detail::each_leaf(0, n, leaf, [=](std::size_t lo, std::size_t hi) mutable {
    const std::size_t before = get(counts.begin() + lo / leaf);
    const std::size_t after = hi == n ? all : get(counts.begin() + hi / leaf);
    const detail::two_places<T> to{out.subview(before, after - before),
                                   out.subview(all + lo - before, hi - lo - (after - before))};
    detail::divide_leaf<T>(in.subview(lo, hi - lo), to, is);
  });
  return out.begin() + all;
}

/// The same in place, stable: by way of as much global memory at the calling process
/// (KASURI_GLOBAL_HEAP). Each element moves twice.
/// \return the first of the others in `v`
/// \throws as partition_copy; global::error where the global heap has no room for a copy of `v`
template <class T, class Predicate>
ptr<T> partition(view<T> v, Predicate is, policy p = {}) {
  if (v.size() == 0) return v.end();
  const detail::scratch<T> room(v.size());
  const ptr<T> middle = partition_copy(v, room.view(), is, p);
  copy(room.view(), v, p);
  return v.begin() + (middle - room.view().begin());
}

}  // namespace kasuri::global
