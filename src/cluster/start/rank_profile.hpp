// SPDX-License-Identifier: Apache-2.0
#pragma once

// While a profile is recorded: which rank of a job this process is, what it has counted, and what
// is needed to put the clocks of the ranks beside one another.

namespace kasuri::cluster {

class memory;
class scheduler;
class transport;

/// Collective: the ranks meet a few times, and each notes when it came and when it could go on.
/// Nobody goes on before all have come, which bounds by how much their clocks differ.
void meet_for_clocks(transport& net);

/// From here on the profile has the counts of this rank; until leave_profile().
void enter_profile(const transport& net, const scheduler& s, const memory& m);

/// The counts stay as they are now: what is counted ends.
void leave_profile() noexcept;

}  // namespace kasuri::cluster
