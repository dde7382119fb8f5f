// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether the program shares its cores with other programs.
//
// A member that spins for another one uses up its share of a core. When the one it waits for is not on a
// core, and is woken at last, its worker has no claim to run before its share grows again; meanwhile
// the waker spins its own share away. Two members with a busy process beside each met one barrier per
// turn of the kernel's scheduler so, some 2 ms. A member that sleeps soon instead is run as soon as it is woken, and the
// same barrier takes 0.1 ms.
//
// Two signs, both seen where time is to spare:
//   a gap     between two looks of a member that spins: its core was taken
//   a delay   from the notice to a suspended member until it goes on
// A sign holds for a while, and the longer the sooner it comes again: each end of such a while is a trial of
// the long spin. A sign that is wrong costs wake-ups for that while.
//
// Any thread may call anything here.

#include <cstdint>

namespace kasuri::omp {

/// The caller has lost its core, or has waited for one, from `since` to `now`, ticks of
/// platform::ticks(). Short times, such as of an interrupt or a common wake-up, are no sign.
void lost_core(std::uint64_t since, std::uint64_t now) noexcept;

/// Whether a sign holds at `now`.
bool cores_are_shared(std::uint64_t now) noexcept;

/// Ticks for which a member spins while one does.
std::uint64_t short_spin_ticks() noexcept;

}  // namespace kasuri::omp
