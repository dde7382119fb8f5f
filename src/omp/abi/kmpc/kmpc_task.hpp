// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parts of Clang's tasks that several entry points share.

#include <cstdint>

#include "omp/run/tasks.hpp"
#include "omp/task/clang_task.hpp"

namespace kasuri::omp::kmpc {

/// A source location, which we do not read.
struct ident;

/// Whether __kmpc_omp_task and its like have queued the task or run it; callers ignore it.
enum class outcome : std::int32_t { ran = 0, queued = 1 };

/// Reads the fields that the compiled code wrote into the data after the allocation.
void read_data(explicit_task& t) noexcept;

/// A new task's record; bytes of the private variables and of the shareds behind them.
explicit_task& allocate(member& m, std::int32_t flags, std::size_t bytes, std::size_t shareds,
                        clang_task routine) noexcept;

/// The bytes of a task's data, until it is given to the runtime.
inline std::size_t data_bytes(const explicit_task& t) noexcept { return t.join; }

/// Runs a task that was not queued, or queues it.
outcome start(member& m, explicit_task& t, bool at_once) noexcept;

}  // namespace kasuri::omp::kmpc
