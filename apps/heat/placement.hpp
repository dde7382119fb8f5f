// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <kasuri/kasuri.hpp>
#include <utility>

/// All that the application tells the runtime about where its tasks should run.
namespace heat {

/// The calling worker's index, -1 outside.
inline int this_worker() noexcept { return kasuri::this_task::worker(); }

/// f() on [begin, middle) and g() on [middle, end) in parallel; equal work in all blocks as far as
/// is known here.
template <class F, class G>
void fork(std::size_t begin, std::size_t middle, std::size_t end, F&& f, G&& g) {
  kasuri::parallel_invoke(kasuri::share(static_cast<double>(middle - begin), std::forward<F>(f)),
                          kasuri::share(static_cast<double>(end - middle), std::forward<G>(g)));
}

}  // namespace heat
