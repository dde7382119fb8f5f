// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cancellation.
//
// Of a parallel region: a bit in team::cancelled, which barriers look at too. Of a loop or of
// sections: workshares::cancelled has 1 + the number of the barrier that the members come to next.
// That names the construct, since one that is cancelled ends with a barrier and what was before it
// did too; and it means nothing any more behind that barrier, so that nobody has to take it back.
// Where the team deals out the chunks, it also stops.

#include <cstdint>

#include "omp/team/team.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/work/barrier.hpp"

namespace kasuri::omp {

/// As GCC numbers them.
enum class cancel_kind : std::uint32_t { parallel = 1, loop = 2, sections = 4, taskgroup = 8 };

/// Cancels the innermost region of that kind. False: cancellation is off (OMP_CANCELLATION).
bool cancel(member& m, cancel_kind what) noexcept;

/// Whether the innermost region of that kind is cancelled.
bool cancelled(const member& m, cancel_kind what) noexcept;

/// The same at a cancellation point of the program.
bool cancellation_point(member& m, cancel_kind what) noexcept;

/// A barrier that belongs to the program's code. False: the region was cancelled.
inline bool team_barrier(member& m, bool cancellable = false,
                         tool::sync_kind kind = tool::sync_kind::barrier_explicit) noexcept {
  ++m.work.phase;
  const tool::sync_region seen(m, kind);
  return barrier(m, cancellable);
}

}  // namespace kasuri::omp
