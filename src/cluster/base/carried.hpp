// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace kasuri::cluster {

/// What goes along when all ranks meet (transport/call_tree.hpp): each rank tells something, the
/// ranks on its way to rank 0 make one of it with what others tell, and all learn the whole. As
/// bytes, a multiple of 8 and at most call_tree::most_bytes(); none says nothing.
class carried {
 public:
  carried() = default;
  carried(const carried&) = delete;
  carried& operator=(const carried&) = delete;
  virtual ~carried() = default;

  /// Adds what a part of the ranks tells.
  virtual void add(std::span<const std::byte> of_others) = 0;
  /// What this rank tells, and what was added. Valid until the next call.
  virtual std::span<const std::byte> told() = 0;
  /// What all ranks tell; perhaps what told() has returned.
  virtual void learn(std::span<const std::byte> of_all) = 0;
};

}  // namespace kasuri::cluster
