// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an MPI needs to be told before it starts; one source file for each MPI.

namespace kasuri::cluster {

void before_mpi_starts();

}  // namespace kasuri::cluster
