// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Fork-join over all ranks: parallel_invoke.

#include "kasuri/detail/needs_cxx20.hpp"

#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "kasuri/global/detail/fork.hpp"
#include "kasuri/global/error.hpp"
#include "kasuri/global/share.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

/// Runs both closures as parallel tasks, perhaps in different processes, and returns when both have
/// ended. The caller runs `f`; `g` runs after it unless somebody else has taken it.
///
/// A closure that is taken by another process is copied there byte by byte: what it captures must
/// mean the same everywhere. Capture numbers, global::ptr and views by value. A reference or a
/// pointer to this process's own memory compiles and is wrong.
///
/// @param f,g  callable without arguments; trivially copyable, at most 3584 bytes, results at most
/// 768
/// @return nothing when both return nothing; else a std::tuple of the results in order, with
///         std::monostate in place of void
/// @throw  what the first of them (in order) threw; remote_exception where it ran in another
/// process.
///         When f throws and g has not begun, g does not run. Under KASURI_SCHED=adws g goes first
///         where its part of the ranks begins here and reaches into others; then read f and g
///         exchanged.
/// @par Thread-safety: inside global::run; elsewhere it stays in this process.
template <class F, class G>
[[gnu::always_inline]] inline auto parallel_invoke(F f, G g) {
  detail::check_closure<F>();
  detail::check_closure<G>();
  using first = detail::result_of<F>;
  using second = detail::result_of<G>;
  const auto both = [&]() -> detail::results<first, second> {
    detail::spread_face* const face = detail::kasuri_spread_face;
    if (face == nullptr) [[likely]]
      return kasuri::detail::fork_join<F, G>(std::move(f), std::move(g));
    return detail::fork_join<F, G>(face, std::move(f), std::move(g));
  };
  auto r = both();
  if constexpr (!std::is_same_v<first, std::monostate> || !std::is_same_v<second, std::monostate>)
    return std::tuple<first, second>(std::move(r.first), std::move(r.second));
}

}  // namespace global
}  // namespace kasuri
