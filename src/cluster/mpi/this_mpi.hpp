// SPDX-License-Identifier: Apache-2.0
#pragma once

// In what the MPIs differ; one source file for each.

namespace kasuri::cluster {

/// What this MPI needs to be told before it starts.
void before_mpi_starts();

/// Whether operations in windows that MPI allocated, between ranks of one host, are the processor's own.
bool allocated_is_one_sided();

/// Whether an accumulation is sent off before anybody flushes.
bool posts_at_once();

}  // namespace kasuri::cluster
