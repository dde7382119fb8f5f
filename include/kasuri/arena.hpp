// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Arenas: a part of the program whose tasks run on so many workers at most; and priorities, of
/// arenas and of groups. docs/how-to/arenas.md has examples.

#include "kasuri/detail/needs_cxx20.hpp"

#include <exception>
#include <type_traits>
#include <utility>

#include "kasuri/detail/exceptions.hpp"
#include "kasuri/priority.hpp"
#include "kasuri/runtime.hpp"
#include "kasuri/task.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

struct arena_record;

/// Throws std::bad_alloc, and std::invalid_argument for a bound that is not accepted.
arena_record* make_arena(int max_workers, priority p);
arena_record* make_arena_without_bound(priority p);
/// Waits for its tasks.
void end_arena(arena_record* a) noexcept;

/// The group that counts the tasks of which nobody else keeps count.
group& tasks_of(arena_record& a) noexcept;
arena_state* state_of(arena_record& a) noexcept;
int most_workers_in(const arena_record& a) noexcept;

/// For groups with a priority: an arena without a bound, or null.
arena_state* arena_of_priority(priority p);

/// The calling task, on a worker, is in the arena for the object's life, and behind it in the one
/// that it was in before.
class arena_visit {
 public:
  /// Throws std::bad_alloc.
  explicit arena_visit(arena_record& a);
  ~arena_visit();
  arena_visit(const arena_visit&) = delete;
  arena_visit& operator=(const arena_visit&) = delete;

 private:
  arena_record* in_ = nullptr;  // null: it was there already
  arena_state* before_ = nullptr;
  scope here_;
};

/// Has `f` run as a task of the arena. Throws std::bad_alloc.
template <class F>
void enqueue_in(arena_record& a, F&& f) {
  run_in_group(
      tasks_of(a),
      [task = std::decay_t<F>(std::forward<F>(f))]() mutable noexcept {
        KASURI_TRY { static_cast<void>(task()); }
        KASURI_CATCH_ALL {
          static_cast<void>(exception_of_task());
          std::terminate();  // which says what was thrown
        }
      },
      spawn::parent_first);
}

}  // namespace detail

/// A part of the program whose tasks run on at most so many workers at once. It has no threads of
/// its own: the workers of the pool run its tasks among others, up to the bound.
///
/// Tasks of the arena are the functions given to execute and enqueue, and all tasks that they make:
/// closures of parallel_invoke, loops and algorithms, groups made inside, futures, what goes on
/// from futures by then, and C threads. (Not: functions of timers, members of OpenMP regions, tasks
/// that travel to other ranks.) A group made outside keeps its tasks outside, unless it was made
/// with the arena.
///
/// A task that waits, for whatever it be, does not count: its worker goes on with another task of
/// the arena. When it may go on it waits for its turn. Nor does a task count inside of
/// kasuri::blocking, or in the execute of another arena: so arenas that call each other do not
/// deadlock. A task that blocks in the system unannounced counts.
///
/// Between a task and its arena nothing else is promised: a task that waits never has a task of
/// another arena, or any unrelated one, run on its stack; but the worker below it may be another
/// one afterwards, as everywhere in Kasuri.
///
/// The cost: a worker takes a permit of the arena when it begins with the arena's tasks, and gives
/// it back when it finds none. A closure that is not stolen costs what it costs elsewhere.
class arena {
 public:
  /// @param max_workers  so many workers run tasks of the arena at once, at most: 1 to 2048. It may
  ///                     be more than there are.
  /// @param p            which tasks an idle worker takes first: see kasuri::priority
  /// @throw std::invalid_argument when max_workers is outside of its range; std::bad_alloc.
  explicit arena(int max_workers, priority p = priority::normal)
      : record_(detail::make_arena(max_workers, p)) {}

  /// Makes an arena without a bound, which gives what runs in it a priority.
  /// @throw std::bad_alloc.
  explicit arena(priority p) : record_(detail::make_arena_without_bound(p)) {}

  /// Waits until all tasks that were enqueued, and all futures' tasks and threads that were made
  /// inside, have ended. Ends the program with a message when the caller is a task of the arena, or
  /// a task is in execute. Groups made with the arena end before it.
  ~arena() { detail::end_arena(record_); }
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  /// Calls `f` as a task of the arena, on the caller's own stack, and returns its result. Where all
  /// permits of the arena are taken the caller waits, and its worker does something else. Inside of
  /// the arena, it just calls f.
  ///
  /// A thread that is no worker becomes one for the call, as by kasuri::run: so it counts among the
  /// num_workers() threads that run tasks at one time, too.
  /// @param f  callable without arguments
  /// @throw what f throws; std::bad_alloc when there is no memory to wait with: f was not called.
  /// @par Thread-safety: any thread, any number at a time.
  template <class F>
  decltype(auto) execute(F&& f) {
    const detail::attachment guest;
    const detail::arena_visit here(*record_);
    return std::forward<F>(f)();
  }

  /// Has `f` run as a task of the arena and returns. To know when it has ended, use a task_group
  /// made with the arena, or a future made inside of execute.
  /// @param f  callable without arguments, copied or moved. Its result is dropped. An exception
  ///           that leaves it ends the program, as one that leaves a std::thread.
  /// @throw std::bad_alloc when there is no memory for the task; it does not run then.
  /// @par Thread-safety: any thread, any number at a time.
  template <class F>
  void enqueue(F&& f) {
    detail::enqueue_in(*record_, std::forward<F>(f));
  }

  /// The bound: max_workers, or num_workers() where there is none.
  /// @par Thread-safety: any thread.
  int max_concurrency() const noexcept { return detail::most_workers_in(*record_); }

 private:
  friend class task_group;

  detail::arena_record* record_;
};

inline task_group::task_group(arena& where) noexcept
    : group_(detail::state_of(*where.record_), detail::current_scope()) {}

inline task_group::task_group(priority p)
    : group_(detail::arena_of_priority(p), detail::current_scope()) {}

}  // namespace kasuri
