// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kasuri::platform {

/// The rank of this process in the job that started it, as its environment says: kasuri run
/// --cluster, the mpiexec of MPICH or Open MPI, or another launcher by PMI or PMIx. -1: the process
/// is in no job.
int launched_rank() noexcept;

/// Before a message that all ranks are likely to have: returns at once at rank 0 and where there is
/// no job, a second later elsewhere, by when the launcher has ended the job because of rank 0.
void let_rank_0_speak();

}  // namespace kasuri::platform
