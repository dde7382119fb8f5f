// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tells valgrind that memory is a stack: it then takes a move of the stack pointer into it for a
// switch, and not for one huge frame. A client request is an instruction sequence that changes
// nothing on the processor and that valgrind recognises (its manual, "The Client Request
// mechanism"); it needs no header of valgrind and costs six instructions where nobody looks.

#include <cstddef>
#include <cstdint>

namespace kasuri::context {

/// [low, high) is a stack from now on.
inline void tell_valgrind_of_stack([[maybe_unused]] const std::byte* low,
                                   [[maybe_unused]] const std::byte* high) noexcept {
#if defined(__x86_64__) || defined(__aarch64__)
  constexpr std::uintptr_t stack_register = 0x1501;
  // The request and five arguments: the lowest and the highest byte of the stack.
  const std::uintptr_t request[6] = {stack_register,
                                     reinterpret_cast<std::uintptr_t>(low),
                                     reinterpret_cast<std::uintptr_t>(high) - 1,
                                     0,
                                     0,
                                     0};
#endif
#if defined(__x86_64__)
  std::uintptr_t result = 0;
  asm volatile(
      "rolq $3, %%rdi\n\t"
      "rolq $13, %%rdi\n\t"
      "rolq $61, %%rdi\n\t"
      "rolq $51, %%rdi\n\t"  // 128 in all: rdi is as before
      "xchgq %%rbx, %%rbx"
      : "+d"(result)
      : "a"(request)
      : "cc", "memory");
#elif defined(__aarch64__)
  register std::uintptr_t result asm("x3") = 0;
  register const std::uintptr_t* at asm("x4") = request;
  asm volatile(
      "ror x12, x12, #3\n\t"
      "ror x12, x12, #13\n\t"
      "ror x12, x12, #51\n\t"
      "ror x12, x12, #61\n\t"  // 128 in all: x12 is as before
      "orr x10, x10, x10"
      : "+r"(result)
      : "r"(at)
      : "cc", "memory");
#endif
}

}  // namespace kasuri::context
