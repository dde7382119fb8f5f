// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

/// \file
/// The cluster layer as a whole: start, and who there is.

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

/// Starts the cluster layer: finds out which job this process is a rank of, and meets the others. A
/// process that was started alone is a job of one. Optional: the first use does it. Collective; it
/// ends by itself when the program ends. Ends the process with a line where the ranks cannot meet.
/// @par Thread-safety: one thread of each rank, before others use kasuri::global.
void start();

/// The number of this process in its job, from 0. Starts the cluster layer.
int rank();

/// Processes in the job. Starts the cluster layer.
int num_ranks();

}  // namespace global
}  // namespace kasuri
