// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tells the sanitizers which stack runs. Twin implementations with the same functions; the plain
// one is empty.
//
//   leaving(to, forever)   the last thing before a switch to the stack of `to`
//   arrived()              the first thing on the stack arrived at
//
// ThreadSanitizer keeps a stack of calls per fibre: functions that leave a stack for good must not
// be instrumented (KASURI_UNINSTRUMENTED), and a stack that starts afresh needs a new fibre.

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define KASURI_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define KASURI_SANITIZED 1
#endif
#endif

#if defined(KASURI_SANITIZED)
#include "context/sanitizer_on.hpp"
#else
#include "context/sanitizer_off.hpp"
#endif
