// SPDX-License-Identifier: Apache-2.0
// The wheel's libraries and programs call functions that glibc has had only since a version behind
// 2.28. Each source file of this folder defines one such function, hidden: the linker puts into a
// library the functions that the library calls, and no others. A definition calls the function of
// the process's C library where that library has one that does more.
#pragma once

#include <dlfcn.h>

#include <atomic>

namespace kasuri::older {

/// The C library's function of this name, or null. libpthread.so.0 needs the C library, so that
/// both are looked through; since 2.34 they are one.
inline void* of_c_library(const char* name) noexcept {
  void* const c_library = ::dlopen("libpthread.so.0", RTLD_LAZY | RTLD_NOLOAD);
  return c_library == nullptr ? nullptr : ::dlsym(c_library, name);
}

/// The C library's function, or ours where it has none: looked up at the first call. The lookup is
/// the same for all who make it.
template <class Function>
Function real_or(Function ours, const char* name, std::atomic<Function>& found) noexcept {
  Function real = found.load(std::memory_order_relaxed);
  if (real != nullptr) return real;
  real = reinterpret_cast<Function>(of_c_library(name));
  if (real == nullptr) real = ours;
  found.store(real, std::memory_order_relaxed);
  return real;
}

}  // namespace kasuri::older
