// SPDX-License-Identifier: Apache-2.0
#include "cluster/mpi/this_mpi.hpp"

namespace kasuri::cluster {

// Nothing. Its progress thread, which would answer for a computing rank, spins: two ranks with it are no
// faster than one. Ranks call MPI often instead.
void before_mpi_starts() {}

// Atomic operations wait until the target is in a call of MPI.
bool allocated_is_one_sided() { return false; }

bool posts_at_once() { return true; }

}  // namespace kasuri::cluster
