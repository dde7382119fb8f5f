// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// How much work a closure stands for.

#include "kasuri/detail/needs_cxx20.hpp"

#include <type_traits>
#include <utility>

#include "kasuri/locality.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

/// A closure with the work that it stands for: for global::parallel_invoke. Under KASURI_SCHED=adws
/// the ranks that run the fork are divided between its closures in proportion; closures without a
/// share count 1.
/// @param work  in any unit, the same for both closures of a fork; what is no positive number
///              counts as none
/// @param f     callable without arguments, trivially copyable, at most 3576 bytes
/// @return      the closure that parallel_invoke takes; under other policies the share says nothing
/// @par Thread-safety: as a value.
/// Source: Shiina and Taura, "Almost Deterministic Work Stealing", SC '19, section 3.
template <class F>
kasuri::detail::shared<std::decay_t<F>> share(double work, F&& f) {
  return {work, std::forward<F>(f)};
}

}  // namespace global
}  // namespace kasuri
