// SPDX-License-Identifier: Apache-2.0
#pragma once

// Exceptions and vectors pass between a program and the library, so both need one C++ standard
// library. A Kasuri that was built with libc++ says so to its users, by its CMake package and by
// pkg-config.

#include <version>

#if defined(_LIBCPP_VERSION) && !defined(KASURI_WITH_LIBCXX)
#error "This Kasuri was built with libstdc++. Accepted: -stdlib=libstdc++; or a Kasuri for libc++."
#elif !defined(_LIBCPP_VERSION) && defined(KASURI_WITH_LIBCXX)
#error "This Kasuri was built with libc++. Accepted: -stdlib=libc++; or a Kasuri for libstdc++."
#endif
