// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The common model over Argobots: needs its headers and library.

#include "kasuri/detail/needs_cxx20.hpp"

#include <abt.h>

#include <cstddef>
#include <string>
#include <vector>

#include "kasuri/model.hpp"
#include "kasuri/model/threads.hpp"

namespace kasuri::model {

/// ABT_thread_create_to, which switches to the child, and ABT_thread_free.
struct argobots_threads {
  using thread = ABT_thread;  ///< a handle

  /// A thread that calls entry(argument) at once; thieves take its parent.
  static void create(thread& made, void* (*entry)(void*), void* argument) {
    ABT_pool pool;
    ABT_self_get_last_pool(&pool);
    // Argobots wants no result and nobody here gives one: the call is the same in every ABI.
    const auto untyped = reinterpret_cast<void (*)()>(entry);
    ABT_thread_create_to(pool, reinterpret_cast<void (*)(void*)>(untyped), argument,
                         ABT_THREAD_ATTR_NULL, &made);
  }
  static void join(thread& t) { ABT_thread_free(&t); }  ///< waits for it, and gives it back
  static void yield() { ABT_self_yield(); }             ///< lets others go first
};

/// Threads created child first.
struct argobots_child_first : thread_way<argobots_threads> {
  static constexpr const char* name = "child_first";  ///< of this way
};

/// A work-stealing pool and scheduler per execution stream, which suits fork-join best.
class argobots_system {
 public:
  using ways = model::ways<argobots_child_first>;       ///< the one way
  static std::string version() { return ABT_VERSION; }  ///< of the headers

  /// Starts the streams; the caller is the first.
  explicit argobots_system(int workers)
      : pools_(static_cast<std::size_t>(workers)), streams_(pools_.size()) {
    ABT_init(0, nullptr);
    for (ABT_pool& pool : pools_) {
      ABT_pool_create_basic(ABT_POOL_RANDWS, ABT_POOL_ACCESS_MPMC, ABT_TRUE, &pool);
    }
    for (std::size_t i = 0; i < streams_.size(); ++i) start(i);
  }
  ~argobots_system() {
    for (std::size_t i = 1; i < streams_.size(); ++i) {
      ABT_xstream_join(streams_[i]);
      ABT_xstream_free(&streams_[i]);
    }
    ABT_finalize();
  }
  argobots_system(const argobots_system&) = delete;
  argobots_system& operator=(const argobots_system&) = delete;

  /// Calls f.
  template <class F>
  void run(F&& f) {
    f();
  }

 private:
  // A stream's scheduler looks into its own pool first, then into the others.
  void start(std::size_t index) {
    std::vector<ABT_pool> order;
    for (std::size_t i = 0; i < pools_.size(); ++i) {
      order.push_back(pools_[(index + i) % pools_.size()]);
    }
    ABT_sched scheduler;
    ABT_sched_create_basic(ABT_SCHED_RANDWS, static_cast<int>(order.size()), order.data(),
                           ABT_SCHED_CONFIG_NULL, &scheduler);
    if (index == 0) {
      ABT_xstream_self(&streams_[0]);
      ABT_xstream_set_main_sched(streams_[0], scheduler);
    } else {
      ABT_xstream_create(scheduler, &streams_[index]);
    }
  }

  std::vector<ABT_pool> pools_;
  std::vector<ABT_xstream> streams_;
};

}  // namespace kasuri::model
