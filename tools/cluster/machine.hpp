// SPDX-License-Identifier: Apache-2.0
#pragma once

// The simulated machine that a task graph runs on, and what came of it.

#include <cstdint>
#include <functional>
#include <vector>

#include "cluster/memory/memory.hpp"
#include "cluster/sched/front/strands.hpp"
#include "kasuri/global/counters.hpp"

namespace kasuri::tools::cluster {

struct setup {
  int ranks = 64;
  std::uint64_t seed = 1;
  int ranks_per_host = 1;
  std::uint64_t latency_ns = 1500;
  std::uint64_t jitter_ns = 0;
  bool adws = false;
  std::uint64_t patience_ns = 0;     // under adws; 0: the scheduler's own
  bool data = false;                 // the program's data are in global memory; else it has none
  bool cached = true;                // copies of them are kept
  std::uint64_t array_bytes = 0;     // of global memory, all ranks together
  std::uint64_t block_bytes = 4096;  // fetched at once
  std::size_t log_entries = 0;  // of write notices, that others can still read; 0: the memory's own
  std::uint64_t cache_bytes = std::uint64_t{256} << 20;  // of each rank
  double size = 0;                                       // of the problem; 0: the problem's own
  std::uint64_t leaf_ns = 0;  // of its smallest step; 0: the problem's own
  bool scattered = false;     // blocks are written in part
  int runs = 1;               // of the program
  int number = 0;             // of the run, from 0
};

/// One run of the program, from when all ranks call it to when the last one has returned; of all
/// ranks together.
struct one_run {
  std::uint64_t ns = 0;
  std::uint64_t messages = 0;  // without answers
  std::uint64_t bytes = 0;
};

struct measured {
  std::uint64_t ns = 0;  // of the runs, at rank 0
  std::vector<one_run> each;
  double work_ns = 0;  // of a serial one
  global::rank_counters total{};
  kasuri::cluster::memory_counts moved{};  // likewise of all ranks
};

/// The task computes for so long. Short times are saved up, so that the simulation is not all
/// switches.
void compute(std::uint64_t ns);
/// All that was saved up passes now.
void settle();

/// Runs root() s.runs times on all ranks of the machine. Where there are data, `begin` is called
/// before at each rank, to allocate them. A process does this once: the memories of so many ranks
/// are not taken apart, which would touch the place of every block in the table of each.
measured run(const setup& s, const std::function<void(kasuri::cluster::memory&)>& begin,
             void (*root)(const setup&));

measured uts(const setup& s);
measured cilksort(const setup& s);
measured runs(setup s);

}  // namespace kasuri::tools::cluster
