// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The common model over this library, in four ways.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasuri/kasuri.h"
#include "kasuri/kasuri.hpp"
#include "kasuri/model.hpp"
#include "kasuri/model/threads.hpp"

namespace kasuri::model {

/// A group of tasks that are queued.
struct kasuri_groups {
  static constexpr const char* name = "task_group";  ///< of this way

  /// A task_group.
  class group {
   public:
    /// Queues it.
    template <class F>
    void spawn(F f) {
      tasks_.run(std::move(f));
    }
    /// Waits for all.
    void wait() { tasks_.wait(); }

   private:
    task_group tasks_;
  };
};

/// Pairs of closures: the fork-join that costs least.
struct kasuri_closures {
  static constexpr const char* name = "parallel_invoke";  ///< of this way
  using group = kasuri_groups::group;                     ///< where a program needs one

  /// parallel_invoke(f, g).
  template <class F, class G>
  [[gnu::always_inline]] static results_of<F, G> fork_join(F f, G g) {
    if constexpr (std::is_void_v<decltype(parallel_invoke(std::move(f), std::move(g)))>) {
      parallel_invoke(std::move(f), std::move(g));
      return {};
    } else {
      auto [first, second] = parallel_invoke(std::move(f), std::move(g));
      return {std::move(first), std::move(second)};
    }
  }
};

/// The threads of the C interface.
template <kasuri_spawn_t Policy>
struct kasuri_c_threads {
  using thread = kasuri_thread_t;  ///< a handle

  /// Ends the program when a call failed.
  static void check(int error) {
    if (error == KASURI_SUCCESS) return;
    std::fprintf(stderr, "kasuri: %s\n", kasuri_strerror(error));
    std::exit(1);
  }
  /// A thread that calls entry(argument).
  static void create(thread& made, void* (*entry)(void*), void* argument) {
    check(kasuri_thread_create(&made, entry, argument, Policy));
  }
  /// Waits for it.
  static void join(thread& t) { check(kasuri_thread_join(t, nullptr)); }
  /// Lets others go first.
  static void yield() { kasuri_yield(); }
};

/// Threads, and a program that is one itself: what runs on the stack of the OS thread that called
/// kasuri::run stays on that thread, and a parent there cannot go on elsewhere.
template <kasuri_spawn_t Policy>
struct kasuri_thread_way : thread_way<kasuri_c_threads<Policy>> {
  /// Calls f in a thread and waits. Child first: a thread that joins one that is queued may run it
  /// on its own stack instead.
  template <class F>
  static void enter(F f) {
    thread_way<kasuri_c_threads<KASURI_CHILD_FIRST>>::fork_join([] {}, [&f] { f(); });
  }
};

/// Threads that run at once; thieves take their parents.
struct kasuri_child_first : kasuri_thread_way<KASURI_CHILD_FIRST> {
  static constexpr const char* name = "child_first";  ///< of this way
};

/// Threads that are queued.
struct kasuri_parent_first : kasuri_thread_way<KASURI_PARENT_FIRST> {
  static constexpr const char* name = "parent_first";  ///< of this way
};

/// Seconds of all workers together; see worker_counters.
struct kasuri_seconds {
  double work = 0;        ///< in tasks
  double overhead = 0;    ///< in the runtime
  double idle_ready = 0;  ///< idle though a task was ready
  double idle_empty = 0;  ///< idle, and no task was ready
};

/// The pool of this process.
class kasuri_system {
 public:
  /// All four.
  using ways = model::ways<kasuri_closures, kasuri_groups, kasuri_child_first, kasuri_parent_first>;
  /// That of the package, where the build says it.
  static std::string version() { return ""; }

  /// Starts the pool.
  explicit kasuri_system(int workers) {
    options wanted;
    wanted.workers = workers;
    initialize(wanted);
  }
  ~kasuri_system() { finalize(); }
  kasuri_system(const kasuri_system&) = delete;
  kasuri_system& operator=(const kasuri_system&) = delete;

  /// How the workers have spent their time so far; all zero without KASURI_STATS=1.
  static kasuri_seconds seconds_spent() {
    kasuri_seconds sum;
    for (const worker_counters& c : counters()) {
      sum.work += static_cast<double>(c.work_ns) * 1e-9;
      sum.overhead += static_cast<double>(c.overhead_ns) * 1e-9;
      sum.idle_ready += static_cast<double>(c.idle_ready_ns) * 1e-9;
      sum.idle_empty += static_cast<double>(c.idle_empty_ns) * 1e-9;
    }
    return sum;
  }

  /// Calls f on a worker: the caller.
  template <class F>
  void run(F&& f) {
    ::kasuri::run([&f] { f(); });
  }
};

}  // namespace kasuri::model
