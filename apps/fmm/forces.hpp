// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kasuri/global/vector.hpp>

#include "cluster/meter.hpp"
#include "fmm/tree.hpp"

namespace fmm {

/// The acceleration of every body, by the tree; called inside global::run.
/// \param accelerations  as long as the bodies, and in their order
/// \param all            of which what is done is reported
void find_forces(const tree& t, global::view<point> accelerations, apps::part all);

/// What a sample of the accelerations is worth.
struct accuracy {
  double error = 0;   ///< sum of squares of the differences to direct summation
  double square = 0;  ///< sum of squares of the accelerations by direct summation
};

/// Compares the accelerations of `samples` bodies, evenly chosen, with direct summation.
accuracy compare_with_direct(const tree& t, global::view<point> accelerations, std::size_t samples);

}  // namespace fmm
