// SPDX-License-Identifier: Apache-2.0
#include "sched/fresh_stack.hpp"

#include <algorithm>
#include <cstdint>

namespace kasuri::sched {
namespace {

// Where the system's limit is none.
constexpr std::ptrdiff_t most = std::ptrdiff_t{64} << 20;

}  // namespace

void forget_stack_below(worker& w) noexcept {
  auto* const here = static_cast<std::byte*>(__builtin_frame_address(0));
  const bool native = w.face.stack == &w.native_stack;
  std::byte* const low = native ? w.native_low : w.face.stack->low;
  if (low == nullptr || low >= here) return;
  const std::ptrdiff_t bytes = std::min(here - low, most);
  platform::forget_accesses(here - bytes, static_cast<std::size_t>(bytes));
}

}  // namespace kasuri::sched
