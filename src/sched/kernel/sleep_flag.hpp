// SPDX-License-Identifier: Apache-2.0
#pragma once

// The values of a worker's flag `asleep`. It says whether there is a thread to wake: a thread that
// sees its flag cleared may go on, and have left the worker, before the thread that cleared it
// comes to look.

#include <cstdint>

namespace kasuri::sched::flag {

inline constexpr std::uint32_t awake = 0;
inline constexpr std::uint32_t dozing = 1;      // its OS thread sleeps on the flag, or is about to
inline constexpr std::uint32_t threadless = 2;  // the thread that clears it starts an OS thread

}  // namespace kasuri::sched::flag
