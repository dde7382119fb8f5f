// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

/// \file
/// The cluster layer as a whole: start, and who there is. A job has up to 65,535 ranks. A rank that
/// comes to the end of main, or to exit(), waits there for the others; where one of these still
/// wants it, for a run or an array, the job ends with a line. A child of fork() is no rank, and
/// must not use the layer.

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

/// Starts the cluster layer: finds out which job this process is a rank of, and meets the others. A
/// process that was started alone is a job of one. Optional: the first use does it. Collective; it
/// ends by itself when the program ends. Called again it does nothing. Ends the process with a line
/// where the ranks cannot meet, run different programs, differ in a setting that must be one for
/// all, or get no memory.
/// @par Thread-safety: one thread of each rank, before others use kasuri::global.
void start();

/// The number of this process in its job, from 0. Inside a task: of the process that runs it, which
/// stays the same until the task ends; closures that it forks may run on others. Starts the cluster
/// layer, as start(). No message.
/// @par Thread-safety: any thread, once it has started.
int rank();

/// Processes in the job, at least 1. Starts the cluster layer, as start(). No message.
/// @par Thread-safety: any thread, once it has started.
int num_ranks();

}  // namespace global
}  // namespace kasuri
