// SPDX-License-Identifier: Apache-2.0
#pragma once

// The worker that the calling code runs on.
//
// The one thread-local of Kasuri. Code that may be resumed on another OS thread must not keep the
// address of a thread-local across a call, and compilers do: so the read is an asm volatile that
// computes the address anew each time (initial-exec TLS: one load of the offset, one of the word).

#include "kasuri/detail/atomics.hpp"
#include "kasuri/detail/deque_face.hpp"

namespace kasuri::detail {

using worker_face = deque_face<real_atomics>;
using worker_slot = worker_face::slot;

extern "C" {
/// The face of the worker that this OS thread is, or null.
extern thread_local constinit worker_face* kasuri_current_face
    [[gnu::tls_model("initial-exec"), gnu::visibility("default")]];
}

/// The calling thread's worker, or null when it is none. Again after every call that may suspend.
[[gnu::always_inline]] inline worker_face* self() noexcept {
#if defined(__x86_64__)
  worker_face* face;
  asm volatile(
      "movq kasuri_current_face@gottpoff(%%rip), %0\n\t"
      "movq %%fs:(%0), %0"
      : "=r"(face));
  return face;
#elif defined(__aarch64__)
  worker_face* face;
  std::uintptr_t base;
  asm volatile(
      "mrs %1, tpidr_el0\n\t"
      "adrp %0, :gottprel:kasuri_current_face\n\t"
      "ldr %0, [%0, :gottprel_lo12:kasuri_current_face]\n\t"
      "ldr %0, [%1, %0]"
      : "=&r"(face), "=&r"(base));
  return face;
#else
  extern worker_face* current_face() noexcept;
  return current_face();
#endif
}

}  // namespace kasuri::detail
