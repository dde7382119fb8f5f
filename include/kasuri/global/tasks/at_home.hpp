// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Work that goes to its data.

#include "kasuri/detail/needs_cxx20.hpp"

#include <type_traits>
#include <utility>

#include "kasuri/global/detail/fork.hpp"
#include "kasuri/global/memory.hpp"
#include "kasuri/global/ptr.hpp"
#include "kasuri/global/start.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

/// Runs `f` at the rank that is the home of the element, where a checkout of it needs no network,
/// and returns its result. The calling task waits; the worker runs others meanwhile. Where the home
/// is this rank `f` is called at once.
///
/// A rank takes what was sent to it when one of its workers has nothing else to do: a home that is
/// busy answers when one of its tasks ends or waits. Where 32 closures wait there
/// already, or 1,024 of this rank's wait for other ranks, `f` runs here: right, if slower.
///
/// `f` may fork, and use all of kasuri::global that tasks may use. What the caller wrote before is
/// seen in `f`, and what `f` writes behind the call.
///
/// The cost: 3 trips to the home, and its answer; the closure and its result travel once.
/// @param p  an element; error is thrown where it is in no allocation
/// @param f  callable without arguments; trivially copyable, at most 3584 bytes, its result at most
///           768. What holds for closures of parallel_invoke holds for it
/// @return what `f` returns
/// @throw  what `f` throws; remote_exception where it ran in another process. error where it is
///         called outside of global::run and the home is another rank
/// @par Thread-safety: inside global::run; elsewhere for elements whose home is this rank.
template <class T, class F>
auto at_home(ptr<T> p, F f) {
  detail::check_closure<F>();
  const auto run = [&]() -> detail::result_of<F> {
    const int home = home_of(p);
    detail::spread_face* face = detail::kasuri_spread_face;
    if (face != nullptr && face->of_this_rank != nullptr) face = face->of_this_rank();
    if (home == rank()) return kasuri::detail::call(f);
    detail::fork_chain* const chain = face == nullptr ? nullptr : detail::chain_here(*face);
    if (chain == nullptr) detail::refuse_at_home(home);
    const detail::owns_for_now nothing(*chain, 0, 0);
    detail::offer_of<F> o(std::move(f), chain);
    detail::send_to(*face, *chain, home);
    return o.finish(*face);
  };
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>)
    run();
  else
    return run();
}

}  // namespace global
}  // namespace kasuri
