// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The common model over Lace: needs its headers and library. Lace's own programs are macros with a
/// task type for every function; here one task type calls closures, at the cost of a pointer.

#include "kasuri/detail/needs_cxx20.hpp"

#include <lace.h>
#include <lace_config.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "kasuri/model.hpp"
#include "kasuri/model/threads.hpp"

namespace kasuri::model {

/// The function that calls a closure: a single word, as Lace's macros want it.
using lace_function = void (*)(void*);

/// Where this worker's next task goes. Lace's macros hand it from task to task as a parameter,
/// which closures do not have.
inline thread_local Task* lace_head = nullptr;

}  // namespace kasuri::model

/// The one task type: calls function(closure), and knows the head of the stack meanwhile.
VOID_TASK_2(kasuri_model_lace_call, kasuri::model::lace_function, function, void*, closure) {
  Task* const before = std::exchange(kasuri::model::lace_head, __lace_dq_head);
  function(closure);
  kasuri::model::lace_head = before;
}

namespace kasuri::model {

/// SPAWN and SYNC: last in, first out.
struct lace_tasks {
  static constexpr const char* name = "closures";  ///< of this way

  /// Children in the order of Lace's stack.
  class group {
   public:
    /// A task that calls a copy of f.
    template <class F>
    void spawn(F f) {
      push(&call_once<F>, closures_.make<F>(std::move(f)));
      ++open_;
    }
    /// Syncs them all.
    void wait() {
      for (; open_ > 0; --open_) pop();
      closures_.clear();
    }

   private:
    template <class F>
    static void call_once(void* closure) {
      (*static_cast<F*>(closure))();
      std::destroy_at(static_cast<F*>(closure));
    }

    closure_store closures_;
    long open_ = 0;
  };

  /// g is the task; it lies in this frame.
  template <class F, class G>
  static results_of<F, G> fork_join(F f, G g) {
    results_of<F, G> both;
    auto second = [&both, &g] { both.second = detail::call(g); };
    push([](void* p) { (*static_cast<decltype(second)*>(p))(); }, &second);
    both.first = detail::call(f);
    pop();
    return both;
  }

 private:
  // The names of these variables are those that Lace's macros use.
  static void push(lace_function function, void* closure) {
    WorkerP* const __lace_worker = lace_get_worker();
    Task* __lace_dq_head = lace_head;
    SPAWN(kasuri_model_lace_call, function, closure);
    lace_head = __lace_dq_head;
  }
  static void pop() {
    WorkerP* const __lace_worker = lace_get_worker();
    Task* __lace_dq_head = lace_head;
    lace_head = __lace_dq_head - 1;
    SYNC(kasuri_model_lace_call);
  }
};

/// Lace's workers are threads of its own; run() hands them the program and waits.
class lace_system {
 public:
  using ways = model::ways<lace_tasks>;        ///< the one way
  static std::string version() { return ""; }  ///< its headers have none

  /// Starts the workers.
  explicit lace_system(int workers) { lace_start(static_cast<unsigned>(workers), deque_slots); }
  ~lace_system() { lace_stop(); }
  lace_system(const lace_system&) = delete;
  lace_system& operator=(const lace_system&) = delete;

  /// Calls f on a worker.
  template <class F>
  void run(F&& f) {
    auto program = [&f] { f(); };
    RUN(kasuri_model_lace_call, [](void* p) { (*static_cast<decltype(program)*>(p))(); }, &program);
  }

 private:
  // For a million tasks at once: it aborts when full. It touches them all when it starts, so a
  // growth of memory measured later does not hold them.
  static constexpr std::size_t deque_slots = std::size_t{1} << 20;
};

}  // namespace kasuri::model
