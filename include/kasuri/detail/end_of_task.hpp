// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a task may not end: by a destructor that throws when nobody can catch it any more, or by
// ending the OS thread, which belongs to the pool. Either ends the program with a line that says
// so.

#include <exception>
#include <memory>
#include <type_traits>

#include "kasuri/detail/exceptions.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

/// The exception that is being handled, which left a task. Without one the stack is unwound because
/// the thread is to end (pthread_exit, pthread_cancel): ends the program with a line.
[[gnu::cold]] std::exception_ptr exception_of_task() noexcept;

/// Says it, and ends the program by std::terminate.
[[noreturn, gnu::cold]] void destructor_threw() noexcept;

/// Destroys a task, or its closure, at the end.
template <class T>
inline void destroy_at_end(T* what) noexcept {
  if constexpr (std::is_nothrow_destructible_v<T>) {
    std::destroy_at(what);
  } else {
    KASURI_TRY { std::destroy_at(what); }
    KASURI_CATCH_ALL { destructor_threw(); }
  }
}

}  // namespace detail
}  // namespace kasuri
