// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tool's callbacks, by event. An event without one costs a load.

#include <atomic>

#include "omp/tool/types.hpp"

namespace kasuri::omp::tool {

/// The functions that the tool has registered, by number; null: none.
extern constinit std::atomic<function> registered[last_event + 1];

/// Whether a tool has started, and not finished: only then are its records kept. Else the hooks
/// work for a profile alone.
extern constinit std::atomic<bool> tool_runs;
inline bool told() noexcept { return tool_runs.load(std::memory_order_relaxed); }

/// Whether we report the event with that number.
bool is_reported(std::int32_t number) noexcept;

template <event E, class Result, class... Arguments>
struct callback {
  static_assert(static_cast<int>(E) > 0 && static_cast<int>(E) <= last_event);
  static std::atomic<function>& slot() noexcept { return registered[static_cast<int>(E)]; }

  bool wanted() const noexcept { return slot().load(std::memory_order_relaxed) != nullptr; }

  Result operator()(Arguments... arguments) const {
    const function f = slot().load(std::memory_order_relaxed);
    if (f != nullptr) return reinterpret_cast<Result (*)(Arguments...)>(f)(arguments...);
    return Result();
  }
};

using address = const void*;  // in the program's code
using wait_id = std::uint64_t;

inline constexpr callback<event::thread_begin, void, thread_kind, data*> on_thread_begin;
inline constexpr callback<event::thread_end, void, data*> on_thread_end;
inline constexpr callback<event::parallel_begin, void, data*, const frame*, data*, unsigned,
                          unsigned, address>
    on_parallel_begin;
inline constexpr callback<event::parallel_end, void, data*, data*, unsigned, address>
    on_parallel_end;
inline constexpr callback<event::task_create, void, data*, const frame*, data*, unsigned, int,
                          address>
    on_task_create;
inline constexpr callback<event::task_schedule, void, data*, task_status, data*> on_task_schedule;
inline constexpr callback<event::implicit_task, void, endpoint, data*, data*, unsigned, unsigned,
                          unsigned>
    on_implicit_task;
inline constexpr callback<event::control_tool, int, std::uint64_t, std::uint64_t, void*, address>
    on_control_tool;
inline constexpr callback<event::sync_region, void, sync_kind, endpoint, data*, data*, address>
    on_sync_region;
inline constexpr callback<event::sync_region_wait, void, sync_kind, endpoint, data*, data*, address>
    on_sync_region_wait;
inline constexpr callback<event::reduction, void, sync_kind, endpoint, data*, data*, address>
    on_reduction;
inline constexpr callback<event::dependences, void, data*, const dependence_record*, int>
    on_dependences;
inline constexpr callback<event::task_dependence, void, data*, data*> on_task_dependence;
inline constexpr callback<event::work, void, work_kind, endpoint, data*, data*, std::uint64_t,
                          address>
    on_work;
inline constexpr callback<event::dispatch, void, data*, data*, dispatch_kind, data> on_dispatch;
inline constexpr callback<event::masked, void, endpoint, data*, data*, address> on_masked;
inline constexpr callback<event::lock_init, void, mutex_kind, unsigned, unsigned, wait_id, address>
    on_lock_init;
inline constexpr callback<event::lock_destroy, void, mutex_kind, wait_id, address> on_lock_destroy;
inline constexpr callback<event::mutex_acquire, void, mutex_kind, unsigned, unsigned, wait_id,
                          address>
    on_mutex_acquire;
inline constexpr callback<event::mutex_acquired, void, mutex_kind, wait_id, address>
    on_mutex_acquired;
inline constexpr callback<event::mutex_released, void, mutex_kind, wait_id, address>
    on_mutex_released;
inline constexpr callback<event::nest_lock, void, endpoint, wait_id, address> on_nest_lock;
inline constexpr callback<event::flush, void, data*, address> on_flush;
inline constexpr callback<event::cancel, void, data*, std::int32_t, address> on_cancel;
inline constexpr callback<event::error, void, severity, const char*, std::size_t, address> on_error;

}  // namespace kasuri::omp::tool
