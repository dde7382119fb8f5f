// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <kasuri/kasuri.hpp>

/// All that the application tells the runtime about where its tasks should run.
namespace heat {

/// The calling worker's index, -1 outside.
inline int this_worker() noexcept { return kasuri::this_task::worker(); }

/// f() on [begin, middle) and g() on [middle, end) in parallel.
template <class F, class G>
void fork(std::size_t, std::size_t, std::size_t, F&& f, G&& g) {
  kasuri::parallel_invoke(f, g);
}

}  // namespace heat
