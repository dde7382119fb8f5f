// SPDX-License-Identifier: Apache-2.0
#pragma once

// By these calls the runtime tells a tool what happens: each function here stands at one kind of
// construct boundary. All are inline tests of active() around a function out of line, whose body is
// in abi/ompt: the lowest room declares what the highest defines, so that all rooms may call it.
//
// Entry points of the ABIs call called() first where the event has an address of the program in it.

#include <cstdint>
#include <span>

#include "omp/tool/active.hpp"
#include "omp/tool/info.hpp"

namespace kasuri::omp {

struct dependence;
struct explicit_task;
struct member;
struct root;
struct task;
struct team;
enum class cancel_kind : std::uint32_t;

namespace sums {
class meeting;
}

namespace tool {

// ---- the calls themselves -----------------------------------------------------------------------

void note_call(const void* from, void* stack) noexcept;

/// In a function that the program calls: from where.
[[gnu::always_inline]] inline void called(const void* from = __builtin_return_address(0),
                                          void* stack = __builtin_dwarf_cfa()) noexcept {
  if (active()) [[unlikely]]
    note_call(from, stack);
}

// ---- regions ------------------------------------------------------------------------------------

/// The member meets the construct, and may have to wait for its way into the pool.
void meet_parallel(member& m) noexcept;
/// The region of a team begins that is set up, and ends. m is the member that met the construct.
void begin_parallel(team& t, member& m, int asked, bool program_calls) noexcept;
void end_parallel(team& t, member& m) noexcept;

/// A member's implicit task begins; a worker's code has run; all of the primary's has.
void begin_implicit(member& m) noexcept;
void reach_last_barrier(member& m) noexcept;
void end_implicit(member& m) noexcept;

/// Where the exit frame of the member's task is kept.
void** exit_frame(member& m) noexcept;
/// The code was not called by the runtime but goes on behind its last call, which `caller` made:
/// the exit frame is that of the call.
void exit_at_call(member& m, const member& caller) noexcept;

/// A league, and each of its teams.
class league_region {
 public:
  league_region(member& m, int size, std::uint32_t flags) noexcept {
    if (active()) [[unlikely]]
      begin(m, size, flags);
  }
  ~league_region() {
    if (of_ != nullptr) [[unlikely]]
      end();
  }
  league_region(const league_region&) = delete;
  league_region& operator=(const league_region&) = delete;

  void begin_team(int number, int size) noexcept {
    if (of_ != nullptr) [[unlikely]]
      start_team(number, size);
  }
  void end_team(int number) noexcept {
    if (of_ != nullptr) [[unlikely]]
      stop_team(number);
  }

 private:
  void begin(member& m, int size, std::uint32_t flags) noexcept;
  void end() noexcept;
  void start_team(int number, int size) noexcept;
  void stop_team(int number) noexcept;
  void meet_barrier_of_teams() noexcept;

  member* of_ = nullptr;
  region_info league_;
  region_info outer_;
  task_info* task_ = nullptr;     // of the task that met the construct
  task_info* initial_ = nullptr;  // of the team
};

// ---- waiting ------------------------------------------------------------------------------------

/// From here to the end of the object the member synchronises, and waits for that. `whole` false:
/// only the waiting, of a construct that began before (taskgroup), and its end.
class sync_region {
 public:
  sync_region(member& m, sync_kind kind, bool whole = true) noexcept {
    if (active()) [[unlikely]]
      begin(m, kind, whole);
  }
  ~sync_region() {
    if (of_ != nullptr) [[unlikely]]
      end();
  }
  sync_region(const sync_region&) = delete;
  sync_region& operator=(const sync_region&) = delete;

 private:
  void begin(member& m, sync_kind kind, bool whole) noexcept;
  void end() noexcept;

  member* of_ = nullptr;
  task_info* task_ = nullptr;
  const void* site_ = nullptr;
  sync_kind kind_ = sync_kind::barrier_explicit;
  state before_ = state::work_serial;
  bool entered_ = false;
  bool summed_ = false;             // for a profile
  sums::meeting* group_ = nullptr;  // ... of the taskgroup that ends
};

/// From here to the end of the object the runtime sets itself up: no time of the program's.
class set_up {
 public:
  explicit set_up(member& m) noexcept {
    if (active()) [[unlikely]]
      begin(m);
  }
  ~set_up() {
    if (of_ != nullptr) [[unlikely]]
      end();
  }
  set_up(const set_up&) = delete;
  set_up& operator=(const set_up&) = delete;

 private:
  void begin(member& m) noexcept;
  void end() noexcept;

  member* of_ = nullptr;
};

/// A taskgroup begins.
void begin_group(member& m) noexcept;

// ---- tasks --------------------------------------------------------------------------------------

void create(member& m, explicit_task& t, bool undeferred, bool has_dependences) noexcept;
inline void task_created(member& m, explicit_task& t, bool undeferred,
                         bool has_dependences = false) noexcept {
  if (active()) [[unlikely]]
    create(m, t, undeferred, has_dependences);
}

/// Its dependences, which are found now.
void tell_dependences(member& m, explicit_task& t, std::span<const dependence> on) noexcept;
/// The task behind `second` must wait for the one behind `first`.
void tell_dependence(const task_info* first, const task_info* second) noexcept;
/// The task behind `first` has ended, and the one behind `second` depends on it.
void tell_order(const task_info* first, task_info* second) noexcept;

/// A taskwait with dependences: a task of its own for tools.
class taskwait_task {
 public:
  taskwait_task(member& m, std::span<const dependence> on) noexcept {
    if (active()) [[unlikely]]
      begin(m, on);
  }
  ~taskwait_task() {
    if (of_ != nullptr) [[unlikely]]
      end();
  }
  taskwait_task(const taskwait_task&) = delete;
  taskwait_task& operator=(const taskwait_task&) = delete;

  task_info* info() noexcept { return info_; }

 private:
  void begin(member& m, std::span<const dependence> on) noexcept;
  void end() noexcept;

  member* of_ = nullptr;
  task_info* info_ = nullptr;
  bool summed_ = false;  // for a profile
};

/// m turns from the task `outer` to t, and back.
void start_task(member& m, task& outer, explicit_task& t) noexcept;
void stop_task(member& m, explicit_task& t, task& outer, task_status status) noexcept;
/// A cancelled one, which does not run.
void discard_task(member& m, explicit_task& t) noexcept;
/// m is to tell the parent of tasks that ended on it, or their group.
void pay_parent(member& m) noexcept;
void pay_group(member& m) noexcept;
/// Its event has happened, before or after its code ended.
void fulfill(explicit_task& t, task_status status) noexcept;

/// A taskyield: what runs meanwhile runs because of it.
void set_yields(member& m, bool yields) noexcept;

// ---- worksharing --------------------------------------------------------------------------------

void begin_work(member& m, work_kind kind, std::uint64_t count) noexcept;
void end_work(member& m) noexcept;
void dispatch(member& m, dispatch_kind kind, std::uint64_t start,
              std::uint64_t iterations) noexcept;
void dispatch_section(member& m) noexcept;
/// A part of the construct that the member is in.
void dispatch_static(member& m, std::uint64_t start, std::uint64_t iterations) noexcept;

/// A taskloop creates its tasks.
void taskloop(member& m, endpoint where, std::uint64_t count) noexcept;

/// A single construct, which the member runs or does not. `ends`: the program says when it has run
/// it.
void meet_single(member& m, bool runs) noexcept;
void end_single(member& m) noexcept;
/// Before the next construct or barrier of a program that does not say so.
inline void close_single(member& m) noexcept {
  if (active()) [[unlikely]]
    end_single(m);
}

void masked(endpoint where) noexcept;
void reduction(member& m, endpoint where) noexcept;
void scope(member& m, endpoint where) noexcept;
void cross_iteration(member& m, std::span<const std::int64_t> index, dependence_type type) noexcept;

// ---- the rest -----------------------------------------------------------------------------------

void cancel(member& m, cancel_kind what, bool activated) noexcept;
void flush() noexcept;
void error(severity how, const char* message, std::size_t length) noexcept;

}  // namespace tool
}  // namespace kasuri::omp
