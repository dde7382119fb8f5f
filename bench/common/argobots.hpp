// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <abt.h>

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

/// Argobots with what suits fork-join best: a work-stealing pool and scheduler per execution
/// stream, threads created child first (ABT_thread_create_to switches to the child).
class argobots_system {
 public:
  static constexpr const char* name = "argobots";
  static std::string version() { return ABT_VERSION; }
  using thread = ABT_thread;

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

  template <class F>
  void run(F&& f) {
    f();
  }

  static thread create(void* (*entry)(void*), void* argument) {
    ABT_pool pool;
    ABT_self_get_last_pool(&pool);
    // Argobots wants no result and nobody here gives one: the call is the same in every ABI.
    const auto untyped = reinterpret_cast<void (*)()>(entry);
    thread t;
    ABT_thread_create_to(pool, reinterpret_cast<void (*)(void*)>(untyped), argument,
                         ABT_THREAD_ATTR_NULL, &t);
    return t;
  }
  static void join(thread t) { ABT_thread_free(&t); }  // waits, then gives the thread back
  static void yield() { ABT_self_yield(); }

 private:
  /// A stream's scheduler looks into its own pool first, then into the others.
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

}  // namespace bench
