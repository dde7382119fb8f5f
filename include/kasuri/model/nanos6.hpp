// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The common model over Nanos6 in library mode: needs its headers, its library, and its object
/// file nanos6-library-mode.o linked into the program.

#include "kasuri/detail/needs_cxx20.hpp"

#include <nanos6.h>
#include <nanos6/library-mode.h>
#include <sched.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "kasuri/model.hpp"

namespace kasuri::model {

/// Tasks as its compiler would create them, without dependences.
struct nanos6_tasks {
  static constexpr const char* name = "task";  ///< of this way

  /// The children of the current task.
  struct group {
    /// A task with a copy of f in its block of arguments.
    template <class F>
    void spawn(F f) {
      void* arguments = nullptr;
      void* task = nullptr;
      nanos6_create_task(&kind<F>::get().info, &kind<F>::get().invocation, "task", sizeof(F),
                         &arguments, &task, 0, 0);
      new (arguments) F(std::move(f));
      nanos6_submit_task(task);
    }
    /// Waits for the task's children.
    void wait() { nanos6_taskwait("wait"); }
  };

 private:
  // The runtime's knowledge of all tasks with a closure of this type.
  template <class F>
  struct kind {
    nanos6_task_implementation_info_t code{};
    nanos6_task_info_t info{};
    nanos6_task_invocation_info_t invocation{};

    kind() {
      code.device_type_id = nanos6_host_device;
      code.run = [](void* arguments, void*, nanos6_address_translation_entry_t*) {
        (*static_cast<F*>(arguments))();
      };
      code.task_type_label = "task";
      code.declaration_source = "task";
      info.implementation_count = 1;
      info.implementations = &code;
      info.destroy_args_block = [](void* arguments) {
        std::destroy_at(static_cast<F*>(arguments));
      };
      invocation.invocation_source = "task";
      nanos6_register_task_info(&info);
    }
    static kind& get() {
      static kind one;
      return one;
    }
  };
};

/// The runtime takes a worker for each CPU that the process may use when it starts.
class nanos6_system {
 public:
  using ways = model::ways<nanos6_tasks>;      ///< the one way
  static std::string version() { return ""; }  ///< its headers have none

  /// Starts it on the first `workers` CPUs of this process.
  explicit nanos6_system(int workers) {
    cpu_set_t all;
    cpu_set_t chosen;
    CPU_ZERO(&chosen);
    sched_getaffinity(0, sizeof all, &all);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&chosen) < workers; ++cpu) {
      if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &chosen);
    }
    sched_setaffinity(0, sizeof chosen, &chosen);
    if (const char* error = nanos6_library_mode_init()) {
      std::fprintf(stderr, "nanos6: %s\n", error);
      std::exit(1);
    }
  }
  ~nanos6_system() { nanos6_shutdown(); }
  nanos6_system(const nanos6_system&) = delete;
  nanos6_system& operator=(const nanos6_system&) = delete;

  /// Calls f in a task and waits.
  template <class F>
  void run(F&& f) {
    struct call {
      F& program;
      std::atomic<bool> over{false};
    } one{f};
    nanos6_spawn_function([](void* p) { static_cast<call*>(p)->program(); }, &one,
                          [](void* p) {
                            auto& over = static_cast<call*>(p)->over;
                            over.store(true, std::memory_order_release);  // pairs with wait below
                            over.notify_one();
                          },
                          &one, "program");
    one.over.wait(false, std::memory_order_acquire);  // pairs with the store above
  }
};

}  // namespace kasuri::model
