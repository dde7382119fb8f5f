// SPDX-License-Identifier: Apache-2.0
#pragma once

// How inlined code finds the scheduler: kasuri_spread_face.

namespace kasuri::cluster {

class scheduler;

/// This process is one rank of several, with this scheduler; null: no more.
[[gnu::visibility("hidden")]] void set_process_scheduler(scheduler* s);

/// Ranks of a simulation come and go; meanwhile the calling OS thread's forks belong to the one
/// that runs.
[[gnu::visibility("hidden")]] void begin_simulated_rank(scheduler& s);
[[gnu::visibility("hidden")]] void end_simulated_rank();

}  // namespace kasuri::cluster
