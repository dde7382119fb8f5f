// SPDX-License-Identifier: Apache-2.0
// The settings in force, as plain fields. The one table behind them is settings_table.cpp.
//
//   environment --load_settings--> settings <--override_*-- public API (initialize)
//
// The first call of current_settings() reads the environment, once for the process. After that
// only override_*() writes, which the caller does while no pool runs: readers need no lock.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kasuri::platform {

inline constexpr std::size_t setting_count = 35;

/// Where a value came from; a later one in this list wins.
enum class setting_origin { default_value, environment, run_option, api };

struct settings {
  int num_workers;
  std::uint64_t stack_size;  // bytes
  bool guard_pages;
  std::string sched;
  int spin_us;
  bool bind;
  int monitor_ms;  // 0: no monitor
  int max_spares;
  int max_blocking;         // calls of blocking(f) at once that take no worker
  int deadlock_s;           // seconds until a deadlock is told; 0: never
  std::string dump_signal;  // the signal that asks for a dump, without SIG; off
  int queue_limit;          // tasks
  std::uint64_t seed;
  std::string trace;           // path; empty: no trace
  std::uint64_t trace_buffer;  // bytes a worker
  bool stats;
  bool verbose;                 // tell of arguments of calls that are not accepted
  std::string profile;          // path; empty: no profile
  bool onetbb;                  // whether oneTBB's work runs on the workers
  bool openblas;                // ... and OpenBLAS's
  bool fftw;                    // ... and FFTW's
  bool blosc;                   // ... and Blosc's
  std::string transport;        // between the ranks of a job: auto, shared or mpi
  std::string transport_flush;  // target, or all: MPI's call that waits for every target at once
  int host_ranks;               // that count as one host; 0: as they are
  bool cache;                   // whether copies of other ranks' global memory are kept
  std::uint64_t cache_size;     // bytes of copies of other ranks' global memory
  std::uint64_t global_heap;    // bytes for allocations of tasks, at each rank
  std::uint64_t global_range;   // bytes of addresses for all global memory
  std::uint64_t global_block;   // bytes that are fetched at once
  std::string check;            // checkout: report those that conflict; off
  std::uint64_t check_memory;   // bytes for that, at each rank
  bool cluster_summary;         // print what the ranks of a job have counted
  std::string job;              // the seat of this rank; empty: not started by kasuri run --cluster
  std::vector<std::string> run_options;  // settings that `kasuri run` was given as options
  std::array<setting_origin, setting_count> origins;  // in the order of settings_table()
  std::string problem;  // the line about the first value that cannot be used; empty: all can
};

/// The settings of this process. The first call reads the environment, warns of KASURI_* names
/// that are no settings, and ends the process through fatal() on a value that cannot be used.
/// Thread-safe. Never destroyed, so that static destructors may still ask.
const settings& current_settings();

/// The same for a rank that is to tell the others first: returns where a value cannot be used, with
/// the default in its place and the line about it in `problem`.
const settings& settings_as_read();

/// Set what the public API was asked for, checked by the same table: a value out of range ends the
/// process through fatal(). 0 goes back to the environment or the default. Not while a pool runs.
void override_workers(int workers);
void override_stack_size(std::uint64_t bytes);
/// The same for the scheduling policy; empty: the environment's.
void override_sched(const std::string& name);
/// Set the number of workers where nobody has: neither the environment nor the public API. For a
/// process that shares its CPUs with other ranks of a job. Not while a pool runs.
void suggest_workers(int workers);
/// Says what is wrong with the name of a policy, and what is accepted; nothing if it is one.
std::optional<std::string> problem_with_sched(const std::string& name);

}  // namespace kasuri::platform
