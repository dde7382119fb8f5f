// SPDX-License-Identifier: Apache-2.0
#pragma once

// The hooks of omp/tool, as the profile takes them. Each is called while a profile is recorded, by
// the hook's body.

#include <cstdint>

#include "omp/profile/team_sums.hpp"
#include "omp/task/task_record.hpp"
#include "omp/tool/types.hpp"

namespace kasuri::omp::sums {

/// Enters the sections. Once, before the first hook.
void enter_sections() noexcept;

// Regions. Behind the tool where something begins, before it where something ends.
void meet_parallel(member& m) noexcept;
void begin_parallel(team& t, member& m) noexcept;
void end_parallel(team& t, member& m) noexcept;
void begin_implicit(member& m) noexcept;
void reach_last_barrier(member& m) noexcept;
void end_implicit(member& m) noexcept;

/// A barrier. `site`: where the program called it.
void come_to_barrier(member& m) noexcept;
void leave_barrier(member& m, tool::sync_kind kind, const void* site) noexcept;

// taskwait, taskgroup. The group's meeting is made when it begins.
void begin_group(member& m) noexcept;
meeting* group_of(const member& m) noexcept;
void begin_wait(member& m) noexcept;
void end_set_up(member& m) noexcept;
void end_wait(member& m, tool::sync_kind kind, meeting* group) noexcept;

// Tasks.
void create(member& m, explicit_task& t, bool depends) noexcept;
void start_task(member& m, task& outer, explicit_task& t) noexcept;
void stop_task(member& m, explicit_task& t, task& outer) noexcept;
void discard_task(explicit_task& t) noexcept;
/// The member says to a parent, or a group, that tasks have ended.
void pay_parent(member& m) noexcept;
void pay_group(member& m) noexcept;
/// `second` begins behind the end of `first`, which has ended.
void follow(const tool::task_info& first, tool::task_info& second) noexcept;
/// A taskwait with dependences: the task that waits, and the record that stands for the wait.
void begin_wait_for(member& m, tool::task_info& wait) noexcept;
void end_wait_for(member& m, tool::task_info& wait) noexcept;

// Loops and sections.
void begin_work(member& m, tool::work_kind kind, std::uint64_t count) noexcept;
void end_work(member& m) noexcept;
void take_chunk(member& m) noexcept;

// Locks.
void wait_for_mutex(member& m, tool::mutex_kind kind, const void* mutex) noexcept;
void got_mutex(member& m, tool::mutex_kind kind, const void* mutex, const void* site) noexcept;
void take_again(member& m, const void* mutex) noexcept;
void give_mutex(member& m, tool::mutex_kind kind, const void* mutex) noexcept;
/// The member must wait for the lock that it acquires, and has got it.
void begin_lock_wait(member& m) noexcept;
void end_lock_wait(member& m) noexcept;

}  // namespace kasuri::omp::sums
