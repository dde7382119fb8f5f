// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Values of all ranks, put together outside of runs: broadcast, reduce, all_reduce, scan.
///
/// All are collective: called by all ranks, in the same order of such calls, outside of tasks.
/// Calls that do not match (another function, another size, another root) end the job with a line
/// that names two ranks and what each of them calls. Inside of global::run there is one program,
/// and the values lie in global memory: there the algorithms reduce, transform_reduce and the scans
/// of kasuri/global/algorithm.hpp do this.
///
/// The values are trivially copyable, aligned to at most 16 bytes; up to four copies of one lie on
/// the caller's stack. They are combined in the order of ranks, in the same groups each time: op
/// need be associative, not commutative, and a sum of doubles has the same bits in each run with as
/// many ranks. op must not throw.
///
/// The collectives order no accesses to global memory: what other ranks have written to it is seen
/// behind the next global::run.
///
/// The cost of values of at most 128 bytes is that of one exchange of all ranks, which every
/// collective call begins with. Larger ones cost, beside that, at most 2 + log2 P messages of a
/// value a rank, one behind the other, and memory for 1 + log2 P values at each rank from the first
/// such call on; broadcast no memory.
///
/// @par Thread-safety: one thread of each rank at a time, as all collective calls.

#include "kasuri/detail/needs_cxx20.hpp"

#include <concepts>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

namespace detail {

/// Which collective it is; `left` becomes op(left, right) by combine(op, left, right).
enum class collective : unsigned char { broadcast, reduce, all_reduce, scan, exclusive_scan };
using combine = void (*)(const void* op, void* left, const void* right);

/// `value` becomes the result. False: this rank gets none, and the value is as it was; so it is at
/// rank 0 of an exclusive scan, and at all but the root of a reduction.
bool collect(collective what, void* value, std::size_t bytes, int root, combine how,
             const void* op);

template <class T>
constexpr void check_value() noexcept {
  static_assert(std::is_trivially_copyable_v<T>,
                "values of the ranks move between processes as bytes: make the type trivially "
                "copyable");
  static_assert(alignof(T) <= 16, "values of the ranks are aligned to 16 bytes at most");
}

template <class T, class Op>
void combine_with(const void* op, void* left, const void* right) {
  alignas(T) std::byte other[sizeof(T)];  // `right` may lie anywhere
  std::memcpy(other, right, sizeof(T));
  T& l = *std::launder(static_cast<T*>(left));
  l = (*static_cast<const Op*>(op))(static_cast<const T&>(l),
                                    *std::launder(reinterpret_cast<const T*>(other)));
}

template <class Op, class T>
concept combines = requires(const Op& op, const T& x) {
  { op(x, x) } -> std::convertible_to<T>;
};

}  // namespace detail

/// Everybody gets the value of one rank.
/// @param mine  at `root` the value; elsewhere it counts for its type alone
/// @param root  from 0, below num_ranks(): else error is thrown, at all ranks
/// @return the value of rank `root`
/// @throw  error where it is called from inside a task
template <class T>
T broadcast(T mine, int root = 0) {
  detail::check_value<T>();
  detail::collect(detail::collective::broadcast, &mine, sizeof(T), root, nullptr, nullptr);
  return mine;
}

/// One rank gets op(...op(op(x0, x1), x2)..., xP-1) of all ranks' values.
/// @param mine  the value of this rank
/// @param op    callable as op(const T&, const T&), const, its result a T; associative, the same
///              everywhere; must not throw
/// @param root  who gets the result; from 0, below num_ranks(): else error is thrown, at all ranks
/// @return at `root` the result; elsewhere `mine`
/// @throw  error where it is called from inside a task
template <class T, class Op>
  requires detail::combines<Op, T>
T reduce(const T& mine, Op op, int root = 0) {
  detail::check_value<T>();
  T result = mine;
  detail::collect(detail::collective::reduce, &result, sizeof(T), root,
                  &detail::combine_with<T, Op>, &op);
  return result;
}

/// Everybody gets what reduce gives, the same bits.
/// @param mine,op  as for reduce
/// @throw  error where it is called from inside a task
template <class T, class Op>
  requires detail::combines<Op, T>
T all_reduce(const T& mine, Op op) {
  detail::check_value<T>();
  T result = mine;
  detail::collect(detail::collective::all_reduce, &result, sizeof(T), 0,
                  &detail::combine_with<T, Op>, &op);
  return result;
}

/// Rank r gets what reduce gives of the values of ranks 0 to r: an inclusive scan.
/// @param mine,op  as for reduce
/// @throw  error where it is called from inside a task
template <class T, class Op>
  requires detail::combines<Op, T>
T scan(const T& mine, Op op) {
  detail::check_value<T>();
  T result = mine;
  detail::collect(detail::collective::scan, &result, sizeof(T), 0, &detail::combine_with<T, Op>,
                  &op);
  return result;
}

/// Rank r gets init combined with the values of ranks 0 to r - 1, rank 0 gets init: where its part
/// begins, if the values are the sizes of parts.
/// @param mine,op  as for reduce
/// @param init     at each rank its own; most use one for all
/// @throw  error where it is called from inside a task
template <class T, class Op>
  requires detail::combines<Op, T>
T exclusive_scan(const T& mine, std::type_identity_t<T> init, Op op) {
  detail::check_value<T>();
  T result = mine;
  if (!detail::collect(detail::collective::exclusive_scan, &result, sizeof(T), 0,
                       &detail::combine_with<T, Op>, &op))
    return init;
  return op(init, result);
}

}  // namespace global
}  // namespace kasuri
