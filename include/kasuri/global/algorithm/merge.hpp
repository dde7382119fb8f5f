// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Two sorted global views made one.

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <type_traits>

#include "kasuri/detail/sort/merge.hpp"

#include "kasuri/global/checkout.hpp"
#include "kasuri/global/vector.hpp"

#include "kasuri/global/algorithm/policy.hpp"
#include "kasuri/global/algorithm/search.hpp"

namespace kasuri::global {
namespace detail {

/// How many of the first k elements of the merged sequence come from `a`. Of equal elements those
/// of `a` come first.
template <class T, class Compare>
std::size_t taken_from_first(view<const T> a, view<const T> b, std::size_t k, Compare& comp) {
  struct both_sides {
    begun_checkout<const T, read_t> in_a, in_b;
    [[nodiscard]] bool under_way() const noexcept { return in_a.under_way() || in_b.under_way(); }
  };
  return first_past(
      k > b.size() ? k - b.size() : 0, std::min(k, a.size()),
      [=](std::size_t i) {
        return both_sides{begin_checkout(a.begin() + i, 1, read),
                          begin_checkout(b.begin() + (k - i - 1), 1, read)};
      },
      // i are too few, if a[i] stands before b[k - i - 1].
      [&](std::size_t i) { return !comp(get(b.begin() + (k - i - 1)), get(a.begin() + i)); });
}

template <class T, class Compare>
void merge_leaf(view<const T> a, view<const T> b, view<T> out, Compare& comp) {
  const auto [x, y, to] =
      checkout_all(request(a.begin(), a.size(), read), request(b.begin(), b.size(), read),
                   request(out.begin(), out.size(), write));
  if constexpr (kasuri::detail::cheap_to_copy<T>) {
    const kasuri::detail::runs<const T*> both{x.begin(), x.end(), y.begin(), y.end()};
    kasuri::detail::merge_cheap(both, to.begin(), comp);
  } else {
    std::merge(x.begin(), x.end(), y.begin(), y.end(), to.begin(), comp);
  }
}

/// Cut where a whole number of leaves of the output is full.
template <class T, class Compare>
void merge_views(view<const T> a, view<const T> b, view<T> out, std::size_t leaf, Compare comp) {
  if (out.size() == 0) return;
  if (out.size() <= leaf) return merge_leaf<T>(a, b, out, comp);
  const std::size_t k = middle(0, out.size(), leaf);
  const std::size_t i = taken_from_first<T>(a, b, k, comp);
  parallel_invoke(
      [=] { merge_views<T>(a.subview(0, i), b.subview(0, k - i), out.subview(0, k), leaf, comp); },
      [=] {
        merge_views<T>(a.subview(i, a.size() - i), b.subview(k - i, b.size() - (k - i)),
                       out.subview(k, out.size() - k), leaf, comp);
      });
}

}  // namespace detail

/// Merges two sorted views; stable: of equal elements those of `a` come first. Each fork searches
/// for its middle: log2 of the elements steps, of which two are one wait where they are on other
/// hosts.
/// \param a, b  in order by comp, which is not checked; their elements may be const
/// \param out   as long as both together; must not overlap with them
/// \param comp  comp(x, y): whether x must stand before y; a strict weak order
/// \param p     see policy; a leaf is one checkout
/// \throws whatever comp throws, and what checkout throws
template <class A, class B, class T, class Compare = std::less<>>
  requires(std::is_same_v<std::remove_const_t<A>, T> && std::is_same_v<std::remove_const_t<B>, T>)
void merge(view<A> a, view<B> b, view<T> out, Compare comp = {}, policy p = {}) {
  detail::check_closures<Compare>();
  detail::merge_views<T>(a, b, out, detail::leaf_for<T>(p), comp);
}

}  // namespace kasuri::global
