// SPDX-License-Identifier: Apache-2.0
// GCC 12's headers call functions that the libstdc++.so.6 of GCC 8 (GLIBCXX_3.4.24, CXXABI_1.3.11)
// does not export. This file defines them by functions that GCC 8's library exports. The linker
// hides them in libkasuri.so, which uses the program's libstdc++.
#include <new>

namespace {

// A std::exception_ptr, which is one pointer: to an exception whose references are counted.
struct exception_pointer {
  void* exception = nullptr;
};

}  // namespace

extern "C" {

// exception_ptr::operator= (CXXABI_1.3.3). The version makes the linker take the one of
// libstdc++.so.6, and not the inline one of GCC 12's headers. The operator adds a reference to the
// exception of `from` and takes one from the exception that `to` had.
exception_pointer& kasuri_older_assign(exception_pointer& to,
                                       const exception_pointer& from) noexcept;
asm(".symver kasuri_older_assign, _ZNSt15__exception_ptr13exception_ptraSERKS0_@CXXABI_1.3.3");
[[noreturn]] void __cxa_throw_bad_array_new_length();

void older_addref(exception_pointer* self) noexcept
    asm("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
void older_release(exception_pointer* self) noexcept
    asm("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
[[noreturn]] void older_bad_length() asm("_ZSt28__throw_bad_array_new_lengthv");

// exception_ptr::_M_addref (CXXABI_1.3.13). Nobody destroys the copy: the reference that it
// counted is the one that the caller wants.
void older_addref(exception_pointer* self) noexcept {
  exception_pointer copy;
  kasuri_older_assign(copy, *self);
}

// exception_ptr::_M_release (CXXABI_1.3.13).
void older_release(exception_pointer* self) noexcept {
  kasuri_older_assign(*self, exception_pointer());
}

// The copy constructor and the destructor are inline in GCC 12's headers and call the two above.
// The linker hides these definitions. If libkasuri.so exported them, libstdc++'s operator= would
// call them, they would call operator=, and so on without end.
void copied(exception_pointer* self, const exception_pointer& from) noexcept
    asm("_ZNSt15__exception_ptr13exception_ptrC1ERKS0_");
void copied_base(exception_pointer* self, const exception_pointer& from) noexcept
    asm("_ZNSt15__exception_ptr13exception_ptrC2ERKS0_");
void destroyed(exception_pointer* self) noexcept asm("_ZNSt15__exception_ptr13exception_ptrD1Ev");
void destroyed_base(exception_pointer* self) noexcept
    asm("_ZNSt15__exception_ptr13exception_ptrD2Ev");

void copied(exception_pointer* self, const exception_pointer& from) noexcept {
  self->exception = from.exception;
  if (self->exception != nullptr) older_addref(self);
}
void copied_base(exception_pointer* self, const exception_pointer& from) noexcept {
  copied(self, from);
}
void destroyed(exception_pointer* self) noexcept {
  if (self->exception != nullptr) older_release(self);
}
void destroyed_base(exception_pointer* self) noexcept { destroyed(self); }

// std::__throw_bad_array_new_length (GLIBCXX_3.4.29).
void older_bad_length() { __cxa_throw_bad_array_new_length(); }
}
