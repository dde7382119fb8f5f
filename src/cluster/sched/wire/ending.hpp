// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/sched/wire/layout.hpp"

namespace kasuri::cluster {

/// What rank 0 tells all others at the end of a run.
struct ending {
  layout::outcome how = layout::outcome::value;
  std::int32_t rank = 0;           // where it was thrown
  std::vector<std::byte> content;  // the result; or the type's name and the text
  std::vector<std::byte> told;     // by memory

  /// A multiple of 8 bytes; none for a value of none with nothing to tell.
  [[nodiscard]] std::vector<std::byte> pack() const;
  static ending unpack(std::span<const std::byte> from);
};

}  // namespace kasuri::cluster
