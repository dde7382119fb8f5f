// SPDX-License-Identifier: Apache-2.0
#pragma once

// The program's own steal function: kasuri/locality.hpp.
//
// A peek reads the hint inside a frame that others may take meanwhile and finish, frame and all. So
// while such a function is installed every thief takes under the deque's lock, which owners take
// too before they take a public frame back: what lies between tail and split under the lock stays
// there. The program's code never runs under it: what confirm saw is taken only if it is still
// there.

#include "sched/pool/steal.hpp"

namespace kasuri::sched {

/// A round by the program's function, or by the policy where there is none or it is overruled. To
/// be asked for before the policy's own rounds; those follow when `overruled` is set.
/// pool/steal.hpp knows it as custom_steals while one is installed.
look custom_steal(worker& thief, pool& all, bool& overruled) noexcept;

}  // namespace kasuri::sched
