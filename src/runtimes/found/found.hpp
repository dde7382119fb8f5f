// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds the runtimes that the process has loaded. A kind of runtime (OpenBLAS, FFTW) is known by a
// function that its libraries define, whatever their files are called; each copy of it is served
// once.
//
// When somebody looks. Nothing stands before dlopen: the C library takes the caller's RUNPATH and
// $ORIGIN from the return address, which a function in between would change. The loader counts what
// it adds, and a look compares that count, some 100 ns. Looks are where Kasuri is slow anyway:
//   - a constructor of ours: what was linked to the program, for kinds that may be served then;
//   - a region of several whose code is seen for the first time (omp/region/region.cpp): before a
//     program that mixes runtimes has work in both;
//   - a worker is about to sleep in the kernel (sched/run/sleep.cpp);
//   - oneTBB asks for workers (rml), and OpenBLAS whether it is in a region (blas/asks.cpp).
// A call before the next look runs on the threads of its library, which is right and only not
// shared. A region that begins does not look: of 400 ns it would take a quarter.
//
// Who serves. To serve is to call a function of the library, which must be relocated by then; a
// look from another thread may find it in the middle of its dlopen. That cannot be seen, and to
// wait for the loader's lock where the look is could stop the process: the thread that holds the
// lock may be in a constructor that waits for the very worker that looks. So a thread of its own
// waits, which nobody waits for ("kasuri-found"). It exists only where there is something to serve.
//
//                    loader's count changed             it holds the object
//   nothing known --------------------------> a thread ----------------------> served, known
//        ^                                                                        |
//        +------------------------------------------------------------------------+
//              something was unloaded: all may lie elsewhere or anew, so all are served once more;
//              and in the child of a fork, which has no such thread
//
// To serve twice must do no harm. Where the library itself is in a call (blas/asks.cpp), or a
// constructor of ours runs, no thread is needed: it is relocated, and stays.

#include <cstdint>

#include "platform/process/loaded_objects.hpp"

namespace kasuri::runtimes {

/// A kind of runtime. Never destroyed, unchanged once it is added.
struct kind {
  const char* const* marks;   // functions by any of which its libraries are known; ends with null
  bool (*wanted)() noexcept;  // by the settings; asked where such a library was found
  void (*serve)(const platform::loaded_object&) noexcept;
  bool at_start;  // may be served before its own constructors have run: the call only stores
  bool later;     // may be served when it may be in use already
  kind* next = nullptr;
};

/// From a constructor of ours: from here on libraries of that kind are served.
void add(kind& k) noexcept;

/// Serves what was loaded since the last look. Any thread; waits for nothing.
void look() noexcept;

/// Whether the object is of that kind.
bool is_of(const kind& k, const platform::loaded_object& object) noexcept;

/// The object that holds the code at `address`; an empty range: none does.
platform::loaded_object object_at(const void* address) noexcept;

/// How many objects the loader has taken out since the process began.
std::uint64_t unloaded_so_far() noexcept;

}  // namespace kasuri::runtimes
