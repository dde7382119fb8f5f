// SPDX-License-Identifier: Apache-2.0
#pragma once

// The thread-locals that a member wears when it is a frame (region.hpp). It has some of its own or
// it does not run: on its worker's it would share threadprivate variables and errno with others.
//
// With dyn-var false a region has as many members as were asked for, so that they may be found as
// they start; where the system gives no thread the process ends with a line, as with libgomp and
// libomp. With dyn-var true all are found before the size of the team is fixed, and the team is
// smaller where the system has no more.

#include "omp/team/team.hpp"

namespace kasuri::omp {

/// The thread-locals of m, which runs on `w`. In outermost teams they follow its number. In inner
/// ones m gets any, and keeps them until the region ends, because it may come back as a helper.
/// Ends the process if there are none.
context::identity& identity_for(member& m, sched::worker& w) noexcept;

/// All members of the team that are frames have theirs from here on. The caller is the primary.
void give_identities(team& t) noexcept;

/// The region has ended: those of inner members may be anybody's again.
void give_identities_back(team& t, sched::worker& w) noexcept;

/// How many members, at most n, a region that m meets can have with threads and thread-locals for
/// all of them: they are made. For regions with dyn-var true, whose primary then calls
/// give_identities.
[[nodiscard]] int members_that_can_be(const member& m, int n) noexcept;

}  // namespace kasuri::omp
