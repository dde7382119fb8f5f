// SPDX-License-Identifier: Apache-2.0
#include "context/backtrace.hpp"

#include <unwind.h>

#include <cstdint>

#include "context/attempt.hpp"

namespace kasuri::context {
namespace {

struct walk {
  saved at;
  std::span<const void*> calls;
  std::size_t found = 0;
  bool there = false;  // beyond the reader's own frames
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* frame, void* arg) noexcept {
  auto& w = *static_cast<walk*>(arg);
  int before_instruction = 0;
  const auto address = _Unwind_GetIPInfo(frame, &before_instruction);
  if (!w.there) {
    w.there = address == reinterpret_cast<std::uintptr_t>(&kasuri_context_walk_returns);
    return _URC_NO_REASON;
  }
  if (address == 0 || w.found == w.calls.size()) return _URC_END_OF_STACK;
  // A return address may be the first of the next function: the call lies before it.
  w.calls[w.found++] = reinterpret_cast<const void*>(address - (before_instruction != 0 ? 0 : 1));
  return _URC_NO_REASON;
}

void visit_frames(void* arg) { _Unwind_Backtrace(visit_frame, arg); }

}  // namespace

std::size_t backtrace(saved at, std::span<const void*> calls) noexcept {
  walk w{at, calls};
  const auto look = [](void* arg) {
    kasuri_context_walk(static_cast<walk*>(arg)->at, visit_frames, arg);
  };
  return attempt(look, &w) ? w.found : 0;
}

std::size_t backtrace_of_caller(std::span<const void*> calls) noexcept {
  walk w{.at = nullptr, .calls = calls, .there = true};
  visit_frames(&w);
  return w.found;
}

}  // namespace kasuri::context
