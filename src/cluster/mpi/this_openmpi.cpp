// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <cstdlib>

#include "cluster/mpi/this_mpi.hpp"

namespace kasuri::cluster {

// The component osc/rdma of Open MPI 4 crashes in a compare-and-swap that is flushed. What the user
// chose stays.
void before_mpi_starts() {
  constexpr bool crashes = OMPI_MAJOR_VERSION == 4;
  if (crashes) ::setenv("OMPI_MCA_osc", "^rdma", 0);
}

// By its component osc/sm.
bool allocated_is_one_sided() { return true; }

// mpiexec takes a rank that has not called MPI_Finalize for one that has failed.
bool leave_by_process_manager() { return false; }

// Its component osc/pt2pt gathers them.
bool posts_at_once() { return false; }

}  // namespace kasuri::cluster
