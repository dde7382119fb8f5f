// SPDX-License-Identifier: Apache-2.0
// The counts of a worker, which are always kept: KASURI_STATS=1 prints them, kasuri::counters()
// returns them. Counting happens off the fast path, so that it costs nothing measurable.
#pragma once

#include "record/counter.hpp"
#include "record/event.hpp"
#include "record/time_account.hpp"

#include <span>         // for span
#include <string>       // for string
#include <string_view>  // for string_view

namespace kasuri::record {

/// Written by the worker alone, readable by anyone. A cache line of its own begins it, so that
/// counting disturbs nobody.
struct alignas(64) worker_stats {
  int worker = 0;
  worker_role role = worker_role::worker;

  counter tasks;         // started by this worker's loop: popped, stolen or sent, not called inline
  counter steals_tried;  // victims asked
  counter steals;        // tasks taken from another worker
  counter steals_near;   // ... of them within the nearest level of the machine tree
  counter steals_far;    // ... and beyond it
  counter refused;       // victims that had tasks but gave none in time
  counter rescues;       // tasks taken from the private part of an owner that did not answer
  counter suspends;      // threads that left this worker
  counter resumes;       // threads that entered it again
  counter parks;         // times it went to sleep
  counter wakes;         // sleepers it woke
  counter spares;        // spare threads lent for it
  counter posted;        // frames it sent to a place
  counter where_kept;    // frames run where they were sent
  counter where_near;    // ... on the node of the worker that they were sent to
  counter where_missed;  // ... and elsewhere
  counter routed;        // forks that span workers
  counter widened;       // times it had to look beyond the fork that it took part in
  counter declined;      // frames that the program's steal function looked at and left
  counter overruled;     // rounds by the policy in place of that function

  time_account time;
};

/// A counter, as tables and the public API name it.
struct stats_column {
  std::string_view name;
  counter worker_stats::* value;
};

/// All counters, in the order of the table.
std::span<const stats_column> stats_columns() noexcept;

/// The table that KASURI_STATS=1 prints: a line per worker, then their sum.
std::string format_stats(std::span<const worker_stats* const> workers);

/// Writes format_stats() to a file descriptor in one go; nothing else is tried if that fails.
void print_stats(int fd, std::span<const worker_stats* const> workers);

}  // namespace kasuri::record
