// SPDX-License-Identifier: Apache-2.0
// What GCC 12's headers call of libstdc++.so.6 and libstdc++ of GCC 8 (GLIBCXX_3.4.24, CXXABI_1.3.11) does not
// export, in terms of what it exports. Hidden in libkasuri.so, which uses the program's libstdc++.
#include <cstddef>
#include <new>

extern "C" {

// std::exception_ptr's copy constructor and destructor, which count references of the exception.
void copy_exception_ptr(void* to, const void* from) noexcept
    asm("_ZNSt15__exception_ptr13exception_ptrC1ERKS0_");
void destroy_exception_ptr(void* self) noexcept
    asm("_ZNSt15__exception_ptr13exception_ptrD1Ev");
[[noreturn]] void __cxa_throw_bad_array_new_length();

void older_addref(void* self) noexcept
    asm("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
void older_release(void* self) noexcept
    asm("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
[[noreturn]] void older_bad_length() asm("_ZSt28__throw_bad_array_new_lengthv");

// exception_ptr::_M_addref (CXXABI_1.3.13). The copy stays: what it counted is the reference.
void older_addref(void* self) noexcept {
  alignas(void*) std::byte copy[sizeof(void*)];
  copy_exception_ptr(copy, self);
}

// exception_ptr::_M_release (CXXABI_1.3.13), all that the destructor does.
void older_release(void* self) noexcept { destroy_exception_ptr(self); }

// std::__throw_bad_array_new_length (GLIBCXX_3.4.29).
void older_bad_length() { __cxa_throw_bad_array_new_length(); }
}
