// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// One fork-join computation over all ranks.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "kasuri/global/detail/fork.hpp"
#include "kasuri/global/error.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

namespace detail {

/// See run.
void run_on_all(const closure_kind& kind, void* closure, void* result);

}  // namespace detail

/// Runs `f` once, as the root of a fork-join computation whose forks may run on any rank, and
/// returns its result at all ranks. Collective: all ranks call it, in the same order of such calls,
/// outside of tasks; the closure of rank 0 is the one that runs. Writes of any rank to global
/// memory before the call can be read inside, and writes inside can be read everywhere behind it;
/// so run([] {}) is a barrier of all ranks, and the way to see each other's writes outside of runs.
/// The calls of other ranks return when it is over; their workers take part meanwhile. At its begin
/// one exchange among all ranks, at its end one broadcast. Where ranks are in other collective
/// calls, or their results differ in size, the job ends with a line.
/// @param f  callable without arguments; trivially copyable, at most 3584 bytes, its result
///           trivially copyable, a value and at most 768; both aligned to 64 at most. Else it does
///           not compile
/// @return   what f returned
/// @throw    what f throws: at rank 0 that itself, at the others a remote_exception; error where it
///           is called from inside a task. Either way the ranks go on together
/// @par Thread-safety: one thread of each rank at a time in collective calls.
template <class F>
auto run(F f) {
  detail::check_closure<F>();
  using r = detail::result_of<F>;
  alignas(alignof(r)) std::byte result[sizeof(r)];
  detail::run_on_all(detail::kind_of<F>::kind, &f, result);
  if constexpr (!std::is_void_v<std::invoke_result_t<F&>>)
    return *std::launder(reinterpret_cast<r*>(result));
}

}  // namespace global
}  // namespace kasuri
