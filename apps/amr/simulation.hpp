// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "amr/lanes.hpp"
#include "amr/node.hpp"
#include "amr/placement.hpp"
#include "amr/problem.hpp"

namespace amr {

/// The mesh with its field, and the time step.
class simulation {
 public:
  /// Builds the mesh around the disc: from cells of the coarsest level, by the phases themselves.
  /// @param p         levels and cut-off
  /// @param parallel  whether subtrees above the cut-off are visited by tasks; then make the object
  ///                  and call its functions inside a task of the pool. The field is the same.
  /// @param given     what tasks carry
  simulation(const problem& p, bool parallel, advice given = advice::shares);

  /// One time step: calculate, check, remesh, balance, ghost.
  void step();

  /// See relocation.
  void relocate_blocks();

  const node& root() const noexcept { return root_; }
  int now() const noexcept { return now_; }  ///< index of the current values in node::value
  long steps() const noexcept { return steps_; }
  double time() const noexcept { return static_cast<double>(steps_) * problem_.dt(); }
  /// Rounds of balance so far that split cells.
  long balance_rounds() const noexcept { return balance_rounds_; }
  /// Visits by phase since the mesh was built.
  std::array<visits, phases> seen();
  /// The share of cells whose memory is on the NUMA node where their last worker ran last.
  double share_on_own_node();
  /// Bytes of memory taken for blocks, free ones included.
  std::size_t bytes();

 private:
  template <class Visitor>
  typename Visitor::result run(Visitor visitor);

  void adapt();
  void balance();
  void place_disc(node& t, place at);
  void grow_to_least_level(node& t);

  problem problem_;
  int cut_off_;
  const advice given_;
  lanes lanes_;
  node root_{};
  int now_ = 0;
  long steps_ = 0;
  long balance_rounds_ = 0;
  std::uint32_t round_ = 0;
};

}  // namespace amr
