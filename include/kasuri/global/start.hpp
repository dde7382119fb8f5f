// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The cluster layer as a whole: start, and who there is. A job has up to 65,535 ranks. A rank that
/// comes to the end of main, or to exit(), waits there for the others; where one of these still
/// wants it, for a run or an array, the job ends with a line. A child of fork() is no rank, and
/// must not use the layer.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <optional>

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

/// A program's choices before the cluster layer starts. Nothing, zero or null means: from the
/// environment, by the setting that is named, or its default. What is given here wins over the
/// environment. All but cache_size, workers and summary must be the same at all ranks: else the job
/// ends with a line. The summary of rank 0 counts.
struct options {
  /// Whether copies of other ranks' memory are kept (KASURI_CACHE).
  std::optional<bool> cache = {};
  /// Bytes of copies of other ranks' memory that a rank keeps, from 1 MiB on (KASURI_CACHE_SIZE).
  std::size_t cache_size = 0;
  /// Bytes that the tasks of a rank may allocate, from 1 MiB on (KASURI_GLOBAL_HEAP).
  std::size_t heap_size = 0;
  /// Bytes of addresses for all arrays and heaps, from 64 MiB on (KASURI_GLOBAL_RANGE).
  std::size_t range_size = 0;
  /// Bytes that are fetched at once: a power of two, 4 KiB to 1 MiB (KASURI_GLOBAL_BLOCK).
  std::size_t block_size = 0;
  /// How ranks reach each other, by the names that KASURI_TRANSPORT accepts.
  const char* transport = nullptr;
  /// "checkout" ends a program with races, "off" does not look (KASURI_CHECK).
  const char* check = nullptr;
  /// Whether rank 0 prints what each rank has counted, at the end (KASURI_CLUSTER_SUMMARY).
  std::optional<bool> summary = {};
  /// The scheduling policy, of the ranks and of each one's workers (KASURI_SCHED).
  const char* scheduling = nullptr;
  /// Threads of this rank that run tasks at one time, 1 to 2048 (KASURI_NUM_WORKERS).
  int workers = 0;
};

/// Starts the cluster layer: finds out which job this process is a rank of, and meets the others. A
/// process that was started alone is a job of one. Optional: the first use does it. Collective; it
/// ends by itself when the program ends. Called again it does nothing. Ends the process with a line
/// where the ranks cannot meet, run different programs, differ in a setting that must be one for
/// all, or get no memory.
/// @par Thread-safety: one thread of each rank, before others use kasuri::global.
void start();

/// The same with a program's own choices.
/// @throw std::logic_error where the cluster layer runs already; or where the pool does, and the
///        policy or the workers are given. std::invalid_argument where an option is outside its
///        range; the message names it, its value and what is accepted. Nothing has started then.
/// @par Thread-safety: as start().
void start(const options& o);

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
