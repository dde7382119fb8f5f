// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Priorities of arenas and of groups.

#include "kasuri/detail/needs_cxx20.hpp"

namespace kasuri {

/// Which tasks an idle worker takes first: those of an arena or of a group with a higher priority.
/// docs/how-to/arenas.md says what holds, and how long a task of low priority waits at most.
enum class priority : unsigned char {
  low,     ///< in the background: when there is nothing else, and now and then otherwise
  normal,  ///< all tasks of which nothing else is said
  high,    ///< before others
};

}  // namespace kasuri
