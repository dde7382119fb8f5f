// SPDX-License-Identifier: Apache-2.0
#pragma once

// The places of a program at which most time went, of any number of places.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kasuri::profile {

/// Ticks by address of the program, of the few that have most of them.
class top_places {
 public:
  static constexpr std::size_t kept = 4;

  /// One thread at a time: who holds the lock.
  void add(const void* place, std::uint64_t ticks) noexcept;
  /// Any thread.
  const void* most() const noexcept;

 private:
  struct entry {
    std::atomic<const void*> place{nullptr};
    std::atomic<std::uint64_t> ticks{0};
  };
  std::array<entry, kept> all_;
};

}  // namespace kasuri::profile
