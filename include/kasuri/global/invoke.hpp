// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Fork-join over all ranks: parallel_invoke.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "kasuri/global/detail/fork.hpp"
#include "kasuri/global/error.hpp"
#include "kasuri/global/share.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

namespace detail {

template <class F, class G>
[[gnu::always_inline]] inline results<result_of<F>, result_of<G>> fork_two(F f, G g) {
  check_closure<F>();
  check_closure<G>();
  spread_face* const face = kasuri_spread_face;
  if (face == nullptr) [[likely]]
    return kasuri::detail::fork_join<F, G>(std::move(f), std::move(g));
  return fork_join<F, G>(face, std::move(f), std::move(g));
}

/// Two closures, or two such pairs, as one closure.
template <class F, class G>
struct closure_pair {
  F first;
  G second;
  results<result_of<F>, result_of<G>> operator()() {
    return fork_two<F, G>(std::move(first), std::move(second));
  }
};

/// Closure number I of several.
template <std::size_t I, class First, class... Others>
auto& nth(First& first, Others&... others) {
  if constexpr (I == 0)
    return first;
  else
    return nth<I - 1>(others...);
}

/// Closures [From, From + Count) of `all` as one closure, a tree of pairs with the share of all.
/// (Not in a tuple: GCC 12 takes closures for not trivially copyable once one asks whether they can
/// be assigned.)
template <std::size_t From, std::size_t Count, class... F>
auto closure_tree(F&... all) {
  if constexpr (Count == 1) {
    return nth<From>(all...);
  } else {
    auto first = closure_tree<From, Count / 2>(all...);
    auto second = closure_tree<From + Count / 2, Count - Count / 2>(all...);
    const double work = kasuri::detail::work_of(first) + kasuri::detail::work_of(second);
    return global::share(work, closure_pair<decltype(first), decltype(second)>{first, second});
  }
}

/// What a tree of `Count` closures has returned, in order.
template <std::size_t Count, class R>
auto results_in_order(const R& r) {
  if constexpr (Count == 1)
    return std::tuple<R>(r);
  else
    return std::tuple_cat(results_in_order<Count / 2>(r.first),
                          results_in_order<Count - Count / 2>(r.second));
}

}  // namespace detail

/// Runs both closures as parallel tasks, perhaps in different processes, and returns when both have
/// ended. The caller runs `f`; `g` runs after it unless somebody else has taken it.
///
/// A closure that is taken by another process is copied there byte by byte: what it captures must
/// mean the same everywhere. Capture numbers, global::ptr and views by value. A reference or a
/// pointer to this process's own memory compiles and is wrong.
///
/// @param f,g  callable without arguments; trivially copyable, at most 3584 bytes, results at most
///             768
/// @return nothing when both return nothing; else a std::tuple of the results in order, with
///         std::monostate in place of void
/// @throw  what the first of them (in order) threw; remote_exception where it ran in another
///         process.
///         When f throws and g has not begun, g does not run. Under KASURI_SCHED=adws g goes first
///         where its part of the ranks begins here and reaches into others; then read f and g
///         exchanged.
/// @par Thread-safety: inside global::run; elsewhere it stays in this process.
template <class F, class G>
[[gnu::always_inline]] inline auto parallel_invoke(F f, G g) {
  using first = detail::result_of<F>;
  using second = detail::result_of<G>;
  auto r = detail::fork_two<F, G>(std::move(f), std::move(g));
  if constexpr (!std::is_same_v<first, std::monostate> || !std::is_same_v<second, std::monostate>)
    return std::tuple<first, second>(std::move(r.first), std::move(r.second));
}

/// The same for three closures and more, which are divided by halves: the first half of them may
/// travel as one closure, and so may the others. The limits of size are those of the closures, and
/// of the results, of a half together. Forks: one less than closures.
/// @param f,g,h,more  as for two
/// @return as for two: a std::tuple with an entry for each
/// @throw  as for two, of two halves at each division
/// @par Thread-safety: as for two
template <class F, class G, class H, class... More>
auto parallel_invoke(F f, G g, H h, More... more) {
  (detail::check_closure<F>(), detail::check_closure<G>(), detail::check_closure<H>(),
   (detail::check_closure<More>(), ...));
  constexpr std::size_t count = 3 + sizeof...(More);
  auto r = detail::fork_two(detail::closure_tree<0, count / 2>(f, g, h, more...),
                            detail::closure_tree<count / 2, count - count / 2>(f, g, h, more...));
  if constexpr (!(std::is_same_v<detail::result_of<F>, std::monostate> &&
                  std::is_same_v<detail::result_of<G>, std::monostate> &&
                  std::is_same_v<detail::result_of<H>, std::monostate> &&
                  (std::is_same_v<detail::result_of<More>, std::monostate> && ...)))
    return detail::results_in_order<count>(r);
}

}  // namespace global
}  // namespace kasuri
