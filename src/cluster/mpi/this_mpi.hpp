// SPDX-License-Identifier: Apache-2.0
#pragma once

// The differences between the MPIs; one source file for each.

namespace kasuri::cluster {

/// Tells this MPI what it needs to know before it starts.
void before_mpi_starts();

/// A text that names what before_mpi_starts() would have told an MPI that the program has started,
/// and nobody has, with what is accepted. Empty: nothing.
const char* problem_of_started_mpi();

/// Whether operations in windows that MPI allocated, between ranks of one host, are the processor's
/// own.
bool allocated_is_one_sided();

/// Waits until all ranks have called this and tells the process manager that this one has ended
/// well, so that it may exit without MPI_Finalize. False, and nothing was done: that is not
/// possible here.
bool leave_by_process_manager();

/// Whether an accumulation is sent off before anybody flushes.
bool posts_at_once();

}  // namespace kasuri::cluster
