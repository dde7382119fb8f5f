// SPDX-License-Identifier: Apache-2.0
#pragma once

// std::stop_token, where the C++ library has it: libc++ before version 20 does with
// -fexperimental-library alone. Elsewhere calls can be stopped by a time still, and a token stands
// for none: there is no std::stop_token that a program could pass.

#include <version>

#if defined(__cpp_lib_jthread)

#include <stop_token>

namespace kasuri::detail {

using stop_token = std::stop_token;
template <class F>
using stop_callback = std::stop_callback<F>;

}  // namespace kasuri::detail

#else

namespace kasuri::detail {

struct stop_token {
  static constexpr bool stop_requested() noexcept { return false; }
  static constexpr bool stop_possible() noexcept { return false; }
};
template <class F>
struct stop_callback {
  constexpr stop_callback(const stop_token&, F&&) noexcept {}
  stop_callback(const stop_callback&) = delete;
  stop_callback& operator=(const stop_callback&) = delete;
};

}  // namespace kasuri::detail

#endif
