// SPDX-License-Identifier: Apache-2.0
#pragma once

// Exceptions and vectors pass between a program and the library, so both need one C++ standard library.
// A Kasuri that was built with libc++ says so to its users, by its CMake package and by pkg-config.

#include <version>

#if defined(_LIBCPP_VERSION) && !defined(KASURI_WITH_LIBCXX)
#error "This Kasuri was built with libstdc++, this program is compiled with libc++. Accepted: -stdlib=libstdc++; or a Kasuri configured with -DCMAKE_CXX_FLAGS=-stdlib=libc++, found by its CMake package or pkg-config."
#elif !defined(_LIBCPP_VERSION) && defined(KASURI_WITH_LIBCXX)
#error "This Kasuri was built with libc++, this program is compiled without it. Accepted: -stdlib=libc++; or a Kasuri configured without it."
#endif
