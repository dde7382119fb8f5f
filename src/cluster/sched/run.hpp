// SPDX-License-Identifier: Apache-2.0
#pragma once

// A fork-join computation over all ranks, from its beginning to its end, as this rank sees it.
//
//   between two runs --run()--> all begin together --> rank 0 runs the root; the others serve
//        ^                                                   |
//        +--- all get the outcome, along the tree of calls --+
//
// A serving rank's caller is a task that waits, `server_`, while others look for work. The task and
// the thread that sees the end both exchange the word for null: one of the two wakes the task.
// Closures of others that run here are counted in `running_`; a run is over here when none is left.
//
// Invariant: closures run here, and workers look for them, only while `goes_on()`.

#include <atomic>
#include <cstdint>
#include <exception>
#include <span>

#include "cluster/sched/base/site.hpp"
#include "kasuri/global/detail/fork.hpp"

namespace kasuri::cluster {

class whole_run {
 public:
  explicit whole_run(sched_site& at) noexcept : at_(at) {}

  /// Collective: rank 0 runs kind's code on `closure`, all serve it; all get the result, or throw.
  void run(const global::detail::closure_kind& kind, void* closure, void* result);

  /// Whether a run goes on, so that looking makes sense.
  [[nodiscard]] bool goes_on() const noexcept { return serves_.load(std::memory_order_relaxed); }
  /// The run that goes on, or was the last: they are numbered from 1.
  [[nodiscard]] std::uint64_t number() const noexcept {
    return runs_.load(std::memory_order_relaxed);
  }

  /// Wakes the task that waits for the end of the run, if that has come; true if it did.
  bool wake_server();

  /// A closure of another rank runs here while its caller has one of these.
  class part {
   public:
    explicit part(whole_run& of) noexcept : of_(of) {
      KASURI_EXPECT(cheap, of_.goes_on(), "a closure of another rank runs after run %llu",
                    static_cast<unsigned long long>(of_.number()));
      of_.running_.fetch_add(1, std::memory_order_relaxed);
    }
    ~part() {
      // release: pairs with the acquire in wait_for_parts
      of_.running_.fetch_sub(1, std::memory_order_release);
    }
    part(const part&) = delete;
    part& operator=(const part&) = delete;

   private:
    whole_run& of_;
  };

 private:
  struct root_call;

  void serve();
  void begin_together(const global::detail::closure_kind& kind);
  void wait_for_parts();
  [[nodiscard]] bool is_over() const;
  void hand_out(const std::exception_ptr& error, const global::detail::closure_kind& kind,
                const void* result);
  void take_out(std::span<const std::byte> outcome, const global::detail::closure_kind& kind,
                void* result);

  sched_site& at_;
  std::atomic<std::uint64_t> runs_{0};
  std::atomic<bool> serves_{false};
  std::atomic<int> running_{0};         // closures of others, here
  std::atomic<void*> server_{nullptr};  // the task that waits for the end of the run
};

}  // namespace kasuri::cluster
