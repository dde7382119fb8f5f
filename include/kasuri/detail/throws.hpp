// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the public headers throw. Functions of the library: the callers stay small, need no
// <stdexcept>, and may be compiled without exceptions.

#include <cstddef>
#include <exception>

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

/// Each throws the exception of std of that name.
[[noreturn, gnu::cold]] void throw_bad_alloc();
[[noreturn, gnu::cold]] void throw_logic_error(const char* what);
[[noreturn, gnu::cold]] void throw_invalid_argument(const char* what);
[[noreturn, gnu::cold]] void throw_out_of_range(const char* what);
/// std::logic_error: the future of that index has no task.
[[noreturn, gnu::cold]] void throw_future_without_task(std::size_t index);

/// The same exceptions in hand.
[[gnu::cold]] std::exception_ptr logic_error_of(const char* what) noexcept;
/// kasuri::broken_promise.
[[gnu::cold]] std::exception_ptr broken_promise_of() noexcept;

}  // namespace detail
}  // namespace kasuri
