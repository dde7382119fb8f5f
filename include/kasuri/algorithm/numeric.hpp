// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasuri/algorithm/policy.hpp"
#include "kasuri/detail/algorithm/blocks.hpp"
#include "kasuri/detail/refused.hpp"
#include "kasuri/parallel_reduce.hpp"
#include "kasuri/parallel_scan.hpp"
#include "kasuri/range.hpp"

/// \file
/// Sums and prefix sums by the names of the standard library. The operation must be associative,
/// and needs not be commutative: the result is the same, to the last bit, at any number of workers
/// (parallel_reduce and parallel_scan say in which order).

namespace kasuri {

/// init + x0 + x1 + ... by combine.
/// \param p            kasuri::par
/// \param first, last  where the elements lie
/// \param init         taken into the result once
/// \param combine      combine(T, T) -> T
template <std::random_access_iterator It, class T, class Combine = std::plus<>>
T reduce(parallel_policy p, It first, It last, T init, Combine combine = {}) {
  static_assert(!detail::loses_fraction<T, std::iter_reference_t<It>>,
                "kasuri::reduce: the first value is an integer, and would lose the fraction of the "
                "elements: begin with 0.0");
  if (first == last) return init;
  // The blocks begin with an element each, for combine may have no neutral one.
  const detail::blocks_of blocks(detail::distance(first, last), p.grain);
  std::vector<detail::partial_result<T>> sums;
  sums.reserve(blocks.count);
  for (std::size_t k = 0; k != blocks.count; ++k)
    sums.push_back({T(*detail::advance(first, blocks.begin(k)))});
  blocks.each([&](std::size_t k, std::size_t begin, std::size_t end) {
    T sum = std::move(sums[k].value);
    const It stop = detail::advance(first, end);
    for (It i = detail::advance(first, begin + 1); i != stop; ++i)
      sum = std::invoke(combine, std::move(sum), *i);
    sums[k].value = std::move(sum);
  });
  detail::pairwise_fold<T, Combine> all(combine);
  for (detail::partial_result<T>& sum : sums) all.add(std::move(sum.value));
  return std::invoke(combine, std::move(init), all.result());
}

/// The same for a range.
template <parallel_range R, class T, class Combine = std::plus<>>
T reduce(parallel_policy p, R&& range, T init, Combine combine = {}) {
  return reduce(p, std::ranges::begin(range), detail::end_of(range), std::move(init),
                std::move(combine));
}

/// init + map(x0) + map(x1) + ... by combine.
template <std::random_access_iterator It, class T, class Combine, class Map>
T transform_reduce(parallel_policy p, It first, It last, T init, Combine combine, Map map) {
  using element = std::iter_reference_t<It>;
  static_assert(std::is_invocable_v<Map&, element>,
                "kasuri::transform_reduce: map is called as map(x) with an element, and comes "
                "behind the operation that combines");
  static_assert(!detail::loses_fraction<T, std::invoke_result_t<Map&, element>>,
                "kasuri::transform_reduce: the first value is an integer, and would lose the "
                "fraction of what map returns: begin with 0.0");
  const auto mapped = std::views::iota(std::size_t{0}, detail::distance(first, last)) |
                      std::views::transform([&](std::size_t i) -> T {
                        return std::invoke(map, *detail::advance(first, i));
                      });
  return reduce(p, mapped, std::move(init), std::move(combine));
}

/// The same for a range.
template <parallel_range R, class T, class Combine, class Map>
T transform_reduce(parallel_policy p, R&& range, T init, Combine combine, Map map) {
  return transform_reduce(p, std::ranges::begin(range), detail::end_of(range), std::move(init),
                          std::move(combine), std::move(map));
}

/// Element i of the output becomes init + x0 + ... + xi. \p out may be \p first. Returns its end.
template <std::random_access_iterator In, std::random_access_iterator Out, class Combine, class T>
Out inclusive_scan(parallel_policy p, In first, In last, Out out, Combine combine, T init) {
  parallel_scan(first, last, out, std::move(init), std::move(combine), scan::inclusive, p.grain);
  return detail::advance(out, detail::distance(first, last));
}

/// The same by + from T().
template <std::random_access_iterator In, std::random_access_iterator Out>
Out inclusive_scan(parallel_policy p, In first, In last, Out out) {
  return inclusive_scan(p, first, last, out, std::plus<>(), std::iter_value_t<In>());
}

/// Element i of the output becomes init + x0 + ... + x(i-1). \p out may be \p first. Returns its
/// end.
template <std::random_access_iterator In, std::random_access_iterator Out, class T,
          class Combine = std::plus<>>
Out exclusive_scan(parallel_policy p, In first, In last, Out out, T init, Combine combine = {}) {
  parallel_scan(first, last, out, std::move(init), std::move(combine), scan::exclusive, p.grain);
  return detail::advance(out, detail::distance(first, last));
}

}  // namespace kasuri
