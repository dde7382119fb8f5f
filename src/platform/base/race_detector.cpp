// SPDX-License-Identifier: Apache-2.0
#include "platform/base/race_detector.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstdint>

extern "C" {
// Its interface for collectors that manage a heap: memory is handed out again, without an access.
[[gnu::weak]] void __tsan_java_alloc(std::uintptr_t at, std::uintptr_t bytes);
[[gnu::weak]] void __tsan_java_free(std::uintptr_t at, std::uintptr_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack, const void** old_low,
                                                   std::size_t* old_bytes);
}

namespace kasuri::platform {

void forget_accesses(void* at, std::size_t bytes, std::size_t keys) noexcept {
  constexpr std::uintptr_t cell = 8;
  const auto begin = (reinterpret_cast<std::uintptr_t>(at) + cell - 1) / cell * cell;
  const auto end = (reinterpret_cast<std::uintptr_t>(at) + bytes) / cell * cell;
  if (begin >= end || &__tsan_java_alloc == nullptr || &__tsan_java_free == nullptr) return;
  // Freeing is what drops keys, alloc what clears the shadow; and it leaves a mark in the first
  // cell.
  __tsan_java_free(begin, std::min(end - begin, keys / cell * cell));
  __tsan_java_alloc(begin, end - begin);
  __tsan_java_free(begin, cell);
}

void tell_address_sanitizer_of_stack(std::byte* low, std::byte* high) noexcept {
  if (&__sanitizer_finish_switch_fiber == nullptr || low == nullptr) return;
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, low, static_cast<std::size_t>(high - low));
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}

stack_bounds own_stack() noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* low = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  return {static_cast<std::byte*>(low), static_cast<std::byte*>(low) + size};
}

}  // namespace kasuri::platform
