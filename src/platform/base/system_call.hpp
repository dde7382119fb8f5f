// SPDX-License-Identifier: Apache-2.0
#pragma once

// System calls that leave errno and every other thread-local alone, as those of the C library do
// not: for code that may run between two changes of the thread pointer, or on a thread that has
// lent its thread-locals to another (context/identity.hpp), whose errno it would overwrite.

namespace kasuri::platform {

/// The kernel's answer: a failure is a negative error number. Arguments that a call lacks are
/// ignored.
inline long system_call(long number, long a, long b = 0, long c = 0, long d = 0) noexcept {
#if defined(__x86_64__)
  register long fourth asm("r10") = d;
  long result = number;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(fourth)
               : "rcx", "r11", "memory");
  return result;
#else
  register long call asm("x8") = number;
  register long result asm("x0") = a;
  register long second asm("x1") = b;
  register long third asm("x2") = c;
  register long fourth asm("x3") = d;
  asm volatile("svc 0" : "+r"(result) : "r"(call), "r"(second), "r"(third), "r"(fourth) : "memory");
  return result;
#endif
}

}  // namespace kasuri::platform
