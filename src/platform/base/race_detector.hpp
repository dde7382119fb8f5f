// SPDX-License-Identifier: Apache-2.0
#pragma once

// Calls that tell ThreadSanitizer of a runtime that is not instrumented itself. Programs compiled
// by -fsanitize=thread bring its functions, and whether they are there is asked at run time: the
// weak references below are zero in other processes, which costs these a load and a branch.
//
// Two things. Edges: what a thread did before happens_before(key) is ordered before what another
// does after a later happens_after(key). A key is an address, with a clock that only grows; nothing
// is stored there. And memory that changes hands inside the runtime, whose edges are nobody's
// business: it is forgotten, as malloc does, because an edge would hide races of the program.
//
// A thread of ThreadSanitizer is what has thread-locals of its own. So a member that wears an
// identity (context/identity.hpp) is one, wherever it runs, and switches between members need no
// announcement.

#include <cstddef>

extern "C" {
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack, const void* low,
                                                  std::size_t bytes);
[[gnu::weak]] void AnnotateIgnoreSyncBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreSyncEnd(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesEnd(const char* file, int line);
}

namespace kasuri::platform {

/// Whether the process runs under ThreadSanitizer.
inline bool race_detector_runs() noexcept { return &__tsan_release != nullptr; }

inline void happens_before(const void* key) noexcept {
  if (race_detector_runs()) [[unlikely]]
    __tsan_release(const_cast<void*>(key));
}

inline void happens_after(const void* key) noexcept {
  if (race_detector_runs()) [[unlikely]]
    __tsan_acquire(const_cast<void*>(key));
}

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool runtime_is_instrumented = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
inline constexpr bool runtime_is_instrumented = true;
#else
inline constexpr bool runtime_is_instrumented = false;
#endif
#else
inline constexpr bool runtime_is_instrumented = false;
#endif

/// Whether the detector has to look away from what only the runtime needs. Where that is
/// instrumented, too, it needs all its order.
inline bool hides_from_race_detector() noexcept {
  return !runtime_is_instrumented && race_detector_runs();
}

/// While it lives, what the calling thread does orders nothing.
class unseen_order {
 public:
  unseen_order() noexcept {
    if (hides_from_race_detector()) [[unlikely]]
      AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
  }
  ~unseen_order() {
    if (hides_from_race_detector()) [[unlikely]]
      AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
  }
  unseen_order(const unseen_order&) = delete;
  unseen_order& operator=(const unseen_order&) = delete;
};

/// Between the two, what the calling thread accesses, takes from malloc and frees is nobody's
/// business.
inline void begin_unseen_accesses() noexcept {
  if (hides_from_race_detector()) [[unlikely]]
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}
inline void end_unseen_accesses() noexcept {
  if (hides_from_race_detector()) [[unlikely]]
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
}

/// The memory is as new: nobody has accessed it, and none of its first `keys` bytes was a key. Not
/// for the first bytes of a block from malloc. Only where race_detector_runs().
void forget_accesses(void* at, std::size_t bytes, std::size_t keys = 16) noexcept;

/// Whether the process runs under AddressSanitizer. It keeps a stack for each OS thread's
/// thread-locals; where the runtime is instrumented, the context switch tells it as well, but not
/// who puts on an identity.
inline bool address_sanitizer_wants_stacks() noexcept {
  return &__sanitizer_start_switch_fiber != nullptr;
}

/// The task that has the calling thread's thread-locals stands on the stack [low, high):
/// AddressSanitizer clears it of the marks of frames that an exception leaves. Only where
/// address_sanitizer_wants_stacks().
void tell_address_sanitizer_of_stack(std::byte* low, std::byte* high) noexcept;

struct stack_bounds {
  std::byte* low = nullptr;
  std::byte* high = nullptr;
};

/// The bounds of the calling OS thread's own stack. Not while it wears an identity.
stack_bounds own_stack() noexcept;

}  // namespace kasuri::platform
