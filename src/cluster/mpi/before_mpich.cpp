// SPDX-License-Identifier: Apache-2.0
#include "cluster/mpi/before_start.hpp"

namespace kasuri::cluster {

// MPICH needs nothing. Its progress thread, which would answer for a computing rank, spins: two ranks
// with it are no faster than one. Ranks call MPI often instead.
void before_mpi_starts() {}

}  // namespace kasuri::cluster
