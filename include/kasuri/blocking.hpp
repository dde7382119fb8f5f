// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Calls that block in the operating system.

#include "kasuri/detail/needs_cxx20.hpp"

#include <utility>

#include "kasuri/detail/cxx_library.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

/// The task goes on on an OS thread of its own, which the result names. Null: it stays where it is,
/// and another OS thread stands in for the worker; on threads that are no workers nothing happens.
void* blocking_begin() noexcept;
/// Ends what blocking_begin began, with its result: the task stands on a worker again.
void blocking_end(void* thread) noexcept;

struct blocking_section {
  blocking_section() noexcept : thread(blocking_begin()) {}
  ~blocking_section() { blocking_end(thread); }
  blocking_section(const blocking_section&) = delete;
  blocking_section& operator=(const blocking_section&) = delete;

  void* const thread;
};

/// A function of its own, as it runs on another OS thread than the code around: compilers keep the
/// addresses of thread-locals, errno's among them, for as long as a function lasts.
template <class F>
[[gnu::noinline]] decltype(auto) call_there(F&& f) {
  return std::forward<F>(f)();
}

}  // namespace detail

/// Calls `f`, which may block in the operating system (read a file, wait for a child process), and
/// lets the worker go on with other tasks meanwhile. As many tasks as KASURI_MAX_BLOCKING says may
/// be inside at once. A call that moves costs some microseconds, so it is for what may wait for a
/// tenth of a millisecond and more. Without it the same happens for some of them
/// (KASURI_MAX_SPARES), some milliseconds later, when the monitor notices. For waiting on other
/// tasks use sync.hpp instead: that blocks no OS thread at all.
///
/// A task of the pool calls `f` on an OS thread of its own, which is outside the pool, and goes on
/// on any worker: thread_local variables are others' in `f` and after it; errno goes along. (A
/// thread that called in by run(), and a member of an OpenMP team, stay on their OS thread.)
/// @return what f returns.
/// @throw whatever f throws.
/// @par Thread-safety: any thread; outside of workers it just calls f.
template <class F>
decltype(auto) blocking(F&& f) {
  const detail::blocking_section section;
  return detail::call_there(std::forward<F>(f));
}

}  // namespace kasuri
