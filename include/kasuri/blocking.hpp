// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Calls that block in the operating system.

#include "kasuri/detail/needs_cxx20.hpp"

#include <utility>

#include "kasuri/detail/cxx_library.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

/// The calling worker's OS thread is about to block; does nothing on other threads.
void blocking_begin() noexcept;
/// ... and is back.
void blocking_end() noexcept;

struct blocking_section {
  blocking_section() noexcept { blocking_begin(); }
  ~blocking_section() { blocking_end(); }
  blocking_section(const blocking_section&) = delete;
  blocking_section& operator=(const blocking_section&) = delete;
};

}  // namespace detail

/// Calls `f`, which may block in the operating system (read a file, wait for a child process), and
/// lets another thread run the worker's tasks meanwhile. Without it the same happens, some
/// milliseconds later, when the monitor notices. For waiting on other tasks use sync.hpp instead:
/// that blocks no OS thread at all.
/// @return what f returns.
/// @throw whatever f throws.
/// @par Thread-safety: any thread; outside of workers it just calls f.
template <class F>
decltype(auto) blocking(F&& f) {
  const detail::blocking_section section;
  return std::forward<F>(f)();
}

}  // namespace kasuri
