// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a tool (OMPT) looks on, or a profile is recorded. Every hook begins with this test and
// goes out of line from there.

#include <atomic>
#include <cstdint>

namespace kasuri::omp::tool {

/// `undecided` until the first hook of the process, which looks for a tool.
enum class stage : std::uint32_t { off, on, undecided, starting };

extern constinit std::atomic<stage> present;

/// For any other stage than off and on.
bool active_slow() noexcept;

/// Whether somebody does. The first call looks for a tool.
[[gnu::always_inline]] inline bool active() noexcept {
  // relaxed: before the fence below
  const stage now = present.load(std::memory_order_relaxed);
  if (now == stage::off) [[likely]]
    return false;
  if (now != stage::on) return active_slow();
  // acquire: pairs with the release in look_for_tool (load.cpp)
  std::atomic_thread_fence(std::memory_order_acquire);
  return true;
}

}  // namespace kasuri::omp::tool
