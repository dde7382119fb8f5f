// SPDX-License-Identifier: Apache-2.0
#pragma once

// A process that watches the ranks of one host, where no launcher of ours does. It is not one of them: an
// mpiexec that sees a rank die ends all that it has started at once, and nobody of them could still say
// who died of what.

#include <vector>

#include "cluster/transport/job_file.hpp"

namespace kasuri::cluster {

class host_watch {
 public:
  /// Starts to watch these ranks, whose seats in the file hold their process ids. When one ends that has
  /// not left its seat, the watch says so once, and ends the others a moment later. Where there can be
  /// no further process, nobody is watched.
  host_watch(const job_file& file, const std::vector<int>& ranks);
  host_watch(const host_watch&) = delete;
  host_watch& operator=(const host_watch&) = delete;
  /// Ends the watch. Should the process end without this, its death is seen like the others'.
  ~host_watch();

 private:
  int rope_ = -1;  // the watch ends when this end of the pipe is closed
};

}  // namespace kasuri::cluster
