// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every public header includes this file first: a compiler that is set to an older language says
// so in one line, instead of some hundred errors about what that language does not have.

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "Kasuri needs C++20: compile with -std=c++20 or newer (C programs include <kasuri/kasuri.h>)"
// A compiler goes on after #error, but not after a file that is missing.
#include "Kasuri needs C++20"
#endif
