// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "amr/simulation.hpp"

/// What is reported of a field. All of it is computed in the tree's order: equal fields have equal
/// measures, bit for bit.
namespace amr {

struct measures {
  std::uint64_t checksum = 0;  ///< of levels, positions and values of all cells
  std::uint64_t cells = 0;
  std::uint64_t nodes = 0;
  int finest = 0;        ///< level
  bool balanced = true;  ///< no cell lies beside one finer by two levels
  double mass = 0;       ///< integral of the field
  double error = 0;      ///< integral of the absolute difference from the exact solution
};

measures measure(const simulation& s);

}  // namespace amr
