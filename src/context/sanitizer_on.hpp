// SPDX-License-Identifier: Apache-2.0
#pragma once

// ThreadSanitizer and AddressSanitizer fibre hooks.

#include <pthread.h>

#include <cstddef>

#if defined(__SANITIZE_THREAD__)
#define KASURI_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define KASURI_TSAN 1
#endif
#endif

#define KASURI_UNINSTRUMENTED __attribute__((no_sanitize("thread", "address"), noinline))

extern "C" {
#if defined(KASURI_TSAN)
void* __tsan_get_current_fiber(void);
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
#else
void __sanitizer_start_switch_fiber(void** fake_stack_save, const void* bottom, size_t size);
void __sanitizer_finish_switch_fiber(void* fake_stack_save, const void** bottom_old,
                                     size_t* size_old);
void __asan_unpoison_memory_region(void const volatile* address, size_t size);
#endif
}

namespace kasuri::context {

/// How many times larger the frames of instrumented functions may be.
inline constexpr std::size_t growth_of_frames = 8;

struct sanitizer_fiber {
  void* fiber = nullptr;       // ThreadSanitizer's
  void* fake_stack = nullptr;  // AddressSanitizer's
  const void* bottom = nullptr;
  std::size_t size = 0;

  /// The calling OS thread's own stack.
  void adopt_native() noexcept {
#if defined(KASURI_TSAN)
    fiber = __tsan_get_current_fiber();
#else
    pthread_attr_t attributes;
    void* low = nullptr;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      pthread_attr_getstack(&attributes, &low, &size);
      pthread_attr_destroy(&attributes);
    }
    bottom = low;
#endif
  }

  /// A context is about to start on [low, high).
  void begin(std::byte* low, std::byte* high) noexcept {
    bottom = low;
    size = static_cast<std::size_t>(high - low);
    fake_stack = nullptr;
#if defined(KASURI_TSAN)
    fiber = __tsan_create_fiber(0);
#else
    // Clears the marks that an earlier, abandoned context left there.
    __asan_unpoison_memory_region(low, size);
#endif
  }

  /// The context on this stack was left for good.
  void end() noexcept {
#if defined(KASURI_TSAN)
    if (fiber != nullptr) __tsan_destroy_fiber(fiber);
    fiber = nullptr;
#endif
  }

  /// The last thing on this stack before the switch to `to`; forever: nobody comes back.
  KASURI_UNINSTRUMENTED void leaving(sanitizer_fiber& to, bool forever) noexcept {
#if defined(KASURI_TSAN)
    static_cast<void>(forever);
    __tsan_switch_to_fiber(to.fiber, 0);
#else
    __sanitizer_start_switch_fiber(forever ? nullptr : &fake_stack, to.bottom, to.size);
#endif
  }

  /// The first thing on this stack after a switch to it.
  KASURI_UNINSTRUMENTED void arrived() noexcept {
#if !defined(KASURI_TSAN)
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
  }
};

}  // namespace kasuri::context
