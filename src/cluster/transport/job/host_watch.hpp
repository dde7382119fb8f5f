// SPDX-License-Identifier: Apache-2.0
#pragma once

// A process that watches the ranks of one host, where no launcher of ours does. It is not one of
// them: an mpiexec that sees a rank die ends all that it has started at once, and nobody of them
// could still say who died of what.

#include <functional>
#include <vector>

#include "cluster/transport/job/job_file.hpp"

namespace kasuri::cluster {

class host_watch {
 public:
  /// Collective over the ranks of a host, `ranks`, of which the caller is one; their seats in the
  /// file hold their process ids. `barrier` waits for all of them. From now on, when one of them
  /// ends that has not left its seat, the watch says so, once in the job, and ends the others a
  /// moment later. Where there can be no further process, nobody is watched.
  host_watch(const job_file& file, const std::vector<int>& ranks, int rank,
             const std::function<void()>& barrier);
  host_watch(const host_watch&) = delete;
  host_watch& operator=(const host_watch&) = delete;
  /// This rank is no longer watched; it has left its seat.
  ~host_watch();

 private:
  int rope_ = -1;  // the end of a pipe that the watch sees closed
};

}  // namespace kasuri::cluster
