// SPDX-License-Identifier: Apache-2.0
#include "sched/worker/fresh_stack.hpp"

#include <algorithm>
#include <cstdint>

#include "platform/base/expect.hpp"

namespace kasuri::sched {
namespace {

// Where the system's limit is none.
constexpr std::ptrdiff_t most_forgotten = std::ptrdiff_t{64} << 20;

}  // namespace

void tell_sanitizers(worker& w) noexcept {
  KASURI_EXPECT(cheap, w.face.stack != nullptr, "worker %d stands on no stack", w.index);
  // A thread that stands on an OS thread's own stack may be away from home.
  const worker* const home = w.face.stack->home;
  const bool native = home != nullptr && w.face.stack == &home->native_stack;
  const platform::stack_bounds all =
      native ? home->native_bounds : platform::stack_bounds{w.face.stack->low, w.face.stack->high};
  if (platform::address_sanitizer_wants_stacks())
    return platform::tell_address_sanitizer_of_stack(all.low, all.high);
  auto* const here = static_cast<std::byte*>(__builtin_frame_address(0));
  if (all.low == nullptr || all.low >= here) return;
  const std::ptrdiff_t bytes = std::min(here - all.low, most_forgotten);
  platform::forget_accesses(here - bytes, static_cast<std::size_t>(bytes));
}

}  // namespace kasuri::sched
