// SPDX-License-Identifier: Apache-2.0
#pragma once

// OpenBLAS with threads of its own, from 0.3.27 on: it lets the program replace them for the calls
// that it runs in parallel, by a callback. Not for LU factorisation, which keeps its own threads.
//
// Jobs of one call wait for each other in loops, with nothing in them that could be seen: all n
// must be on threads at once. So they are a team of OpenMP members, of which each is started at
// once (omp::team_start::together): workers at their docks where they fit, frames elsewhere, for
// which the monitor lends tokens when all workers are busy. A call comes in its turn
// (loops/turns.hpp), and with numbers for its jobs (copies.hpp).
//
// A copy is given the callback once and keeps it: a call that is under way then ends on OpenBLAS's
// own threads, with low numbers; the next one reads the callback. Left to its own threads is a copy
//   - before 0.3.27, without the function that sets the callback;
//   - that was built with OpenMP: its regions are ours anyway;
//   - that uses more than half of MAX_THREADS threads, since a call could not have numbers for all
//     its jobs above those of its own threads.
// A copy that uses more threads than workers are configured is told to use as many as those: n is
// fixed when the callback is called, and threads above the cores would wait for each other by turns
// of the system. That holds for the process, as openblas_set_num_threads does.

#include "runtimes/blas/functions.hpp"

namespace kasuri::runtimes::blas {

/// Gives the copy of OpenBLAS the callback, where it is one that takes it. False: it is left to its
/// own threads. Its constructors have run. Twice is as once.
bool serve(const platform::loaded_object& object) noexcept;

/// Whether KASURI_OPENBLAS says so.
bool wanted() noexcept;

}  // namespace kasuri::runtimes::blas
