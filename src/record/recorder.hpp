// SPDX-License-Identifier: Apache-2.0
// The recording of this process. The scheduler calls:
//
//   start_trace(settings)        when a pool starts and KASURI_TRACE is set
//   log = open_log(index, role)  when a worker starts; null when nothing is recorded
//   emit(log, ...)               worker_log.hpp; anywhere, any time
//   drain()                      now and then from a thread that runs no tasks (the monitor);
//                                without it, what does not fit into a ring is dropped and counted
//   flush_all()                  at finalize and at exit
//
// After fork() the child records into a file of its own, once its pool has started anew. A log it
// inherited goes on swallowing events into its copy of the ring, which nobody writes out.
#pragma once

#include "record/recording.hpp"

#include <cstdint>  // for uint16_t

namespace kasuri::record {

/// Starts recording unless this process does already. Failing costs one line on stderr, nothing
/// else. Not to be called by two threads at once.
void start_trace(const trace_settings& settings);

/// The log for a worker index, null when nothing is recorded. An index belongs to one thread at a
/// time and is unique over workers, guests and spares. Thread-safe. Logs live to the end of the
/// process: a worker that is still running during exit may go on writing to its own.
worker_log* open_log(std::uint16_t worker, worker_role role);

/// Writes out the logs that are filling up. Nothing but a load when nothing is recorded. The write
/// may be as slow as the disk. Thread-safe. False: nothing is recorded.
bool drain();

/// Writes out everything and leaves a complete file; recording goes on. Thread-safe.
void flush_all();

}  // namespace kasuri::record
