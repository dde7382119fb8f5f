// SPDX-License-Identifier: Apache-2.0
#pragma once

// Jobs that an mpiexec has started.

#include <memory>

namespace kasuri::platform {
struct settings;
}

namespace kasuri::cluster {

class transport;

/// Whether an mpiexec has started this process as one of several ranks; with KASURI_TRANSPORT=mpi
/// also as the only one.
bool in_mpi_job(const platform::settings& settings);

/// Its transport: memory that the ranks share where all are on one host, so that MPI serves to meet
/// alone, else MPI's one-sided operations. Ends the process with a line where neither can be had.
std::unique_ptr<transport> open_mpi_job(const platform::settings& settings);

}  // namespace kasuri::cluster
