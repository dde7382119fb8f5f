// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Functions and constants of the program, for closures that may travel: their addresses differ
/// between processes, their places in the program or a library do not.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace [[gnu::visibility("default")]] kasuri {
namespace global {
namespace detail {

/// The place in its module, the same in all processes; ends the program with a line where `at` lies
/// in none.
[[gnu::visibility("default")]] std::uint64_t portable_place(const void* at);
/// The address in this process.
[[gnu::visibility("default")]] const void* place_here(std::uint64_t portable);

}  // namespace detail

template <class>
class function_ref;

/// A function of the program or of a library that all ranks have loaded. Trivially copyable, eight
/// bytes; a call looks up where the function is in the calling process (some tens of nanoseconds).
/// No message. It must lie in the first 4 GiB of its module. A call in a process that has not
/// loaded the module ends the job with a line.
/// @par Thread-safety: as a value; any thread calls.
template <class R, class... Args>
class function_ref<R(Args...)> {
 public:
  /// Refers to `f`, which must not be null: the program ends with a line where it lies in no
  /// module.
  function_ref(R (*f)(Args...))  // NOLINT: converts, as a function does
      : place_(detail::portable_place(reinterpret_cast<const void*>(f))) {}

  /// Calls the function, in the calling process.
  /// @throw what the function throws
  R operator()(Args... args) const {
    const void* const here = detail::place_here(place_);
    return reinterpret_cast<R (*)(Args...)>(reinterpret_cast<std::uintptr_t>(here))(
        std::forward<Args>(args)...);
  }

 private:
  std::uint64_t place_;
};

/// A reference made of a function has its type.
template <class R, class... Args>
function_ref(R (*)(Args...)) -> function_ref<R(Args...)>;

/// A constant of the program with static storage: a string literal, a table. Trivially copyable,
/// eight bytes. Each use looks up where it is, as a call of a function_ref: a loop over a table
/// gets the address once. No message: each process reads its own copy.
/// @par Thread-safety: as a value; any thread reads.
template <class T>
class constant_ptr {
  static_assert(std::is_const_v<T>, "variables are each process's own: use global memory");

 public:
  /// Points to `at`, which is not null and lies in the program or a library: else the program ends
  /// with a line.
  constant_ptr(T* at)
      : place_(detail::portable_place(at)) {}  // NOLINT: converts, as a pointer does

  /// Its address in the calling process.
  [[nodiscard]] T* get() const { return static_cast<T*>(detail::place_here(place_)); }
  /// The constant, in the calling process.
  T& operator*() const { return *get(); }
  /// The constant, in the calling process.
  T* operator->() const { return get(); }
  /// Element `i` of the table, in the calling process; not checked.
  T& operator[](std::size_t i) const { return get()[i]; }

 private:
  std::uint64_t place_;
};

}  // namespace global
}  // namespace kasuri
