// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "amr/lanes.hpp"
#include "amr/placement.hpp"

namespace amr {

/// Copies all blocks, in the order in which they are visited, to memory of the workers that visit
/// them. Tasks are forked as in a phase, so each worker finds there what it visits in the phases;
/// under advice::nodes, where tasks go where the memory is, the NUMA nodes get equal parts of the
/// tree instead, consecutive in its order.
class relocation {
 public:
  relocation(advice given, lanes& all, int cut_off, const node& root);
  void operator()(node& root) { visit(root, 0); }

 private:
  void visit(node& t, std::int64_t first);
  void visit_serially(node& t, int worker, lane& mine);
  kasuri::where place_of(std::int64_t position) const noexcept;

  const advice given_;
  lanes& lanes_;
  const int cut_off_;
  const std::int64_t n_nodes_;
  std::vector<int> numbers_;  // of the NUMA nodes that have CPUs
};

}  // namespace amr
