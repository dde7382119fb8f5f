// SPDX-License-Identifier: Apache-2.0
#pragma once

// The process that the caller belongs to, as a rank of the cluster. In a simulation many ranks
// share one OS process and one OS thread: the simulation sets it at each switch between them.

#include <memory>

namespace kasuri::cluster {

class transport;
class coherence;
class scheduler;
class memory;
class rank_values;

/// Code that gets no argument for them finds a rank's parts here: null where the cluster has not
/// been started.
struct process {
  transport* network = nullptr;
  class scheduler* scheduler = nullptr;
  class memory* memory = nullptr;
  std::shared_ptr<rank_values> values;  // from their first use on
};

/// Set once at start; in a simulation at each switch between ranks.
inline constinit process* current_process = nullptr;

/// This process as a rank: of the simulation whose rank runs, or of its job, which is started if
/// need be (start/start.cpp).
process& started_process();

}  // namespace kasuri::cluster
