// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory that a test gives up on purpose: a simulated rank that dies destroys nothing.

#if defined(__SANITIZE_ADDRESS__)
#define KASURI_TEST_FINDS_LEAKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KASURI_TEST_FINDS_LEAKS 1
#endif
#endif

#ifdef KASURI_TEST_FINDS_LEAKS
#include <sanitizer/lsan_interface.h>
#endif

namespace kasuri::test {

/// While one lives, LeakSanitizer reports nothing that this OS thread allocates.
class abandons_memory {
 public:
#ifdef KASURI_TEST_FINDS_LEAKS
  abandons_memory() { __lsan_disable(); }
  ~abandons_memory() { __lsan_enable(); }
#else
  abandons_memory() {}  // its own, so that no compiler calls the guard unused
  ~abandons_memory() {}
#endif
  abandons_memory(const abandons_memory&) = delete;
  abandons_memory& operator=(const abandons_memory&) = delete;
};

}  // namespace kasuri::test
