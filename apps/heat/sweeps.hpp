// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heat/plate.hpp"

namespace heat {

enum class loop {
  recursive,  ///< parallel_invoke of halves, down to one block
  flat,       ///< parallel_for over the blocks
  serial,     ///< without Kasuri
};

/// Sweeps over the plate in blocks of rows, a task each.
class sweeps {
 public:
  /// @param p          outlives the object
  /// @param blocks     1 to p.size()
  /// @param imbalance  how often the blocks of the first half are computed, against once
  sweeps(plate& p, std::size_t blocks, int imbalance, loop kind);

  /// One step of the whole plate.
  void sweep();

  /// Blocks run by the worker that ran them in the sweep before, in all sweeps but the first.
  std::uint64_t on_same_worker() const noexcept;

 private:
  struct alignas(64) block {  // a line each: workers that run neighbours must not share one
    int last_worker = -2;     // nobody
    std::uint64_t on_same_worker = 0;
  };

  void run(std::size_t index) noexcept;
  void halve(std::size_t begin, std::size_t end);
  std::size_t first_row(std::size_t index) const noexcept {
    return plate_.size() * index / blocks_.size();
  }

  plate& plate_;
  std::vector<block> blocks_;
  const int imbalance_;
  const loop kind_;
};

}  // namespace heat
