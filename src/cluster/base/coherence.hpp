// SPDX-License-Identifier: Apache-2.0
#pragma once

// The scheduler asks this of global memory when work goes from one process to another. A closure
// that is offered to others takes a token with it; so does the report of its end. The rank that
// runs the closure, or goes on behind the join, acquires the token first and sees all that happened
// before it was made: release and acquire of lazy release consistency (Keleher, Cox and Zwaenepoel,
// ISCA 1992), with write notices instead of data.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/base/carried.hpp"

namespace kasuri::cluster {

/// Bytes that travel with a closure and with the report of its end. Zero says nothing: acquiring it
/// has no effect.
struct alignas(8) token {
  std::array<std::uint64_t, 16> words{};
};

/// Under checks: a place in a fork-join program that a task has come to.
struct program_point {
  std::uint64_t task = 0;   // its number (check/task_tree.hpp); 0: in no task that is known
  std::uint32_t forks = 0;  // that the task has behind it
  friend bool operator==(const program_point&, const program_point&) = default;
};

/// Knows the tasks of this process.
class known_tasks {
 public:
  known_tasks() = default;
  known_tasks(const known_tasks&) = delete;
  known_tasks& operator=(const known_tasks&) = delete;
  virtual ~known_tasks() = default;

  /// Where the caller is. Any thread.
  virtual program_point here() = 0;
};

/// Addresses [low, high) of a stack.
struct stack_range {
  std::uintptr_t low = 0;
  std::uintptr_t high = ~std::uintptr_t{0};
  [[nodiscard]] bool has(std::uintptr_t address) const noexcept {
    return low <= address && address < high;
  }
};

/// Runs the tasks of this process, for a task that waits until others have given something back.
class task_host {
 public:
  task_host() = default;
  task_host(const task_host&) = delete;
  task_host& operator=(const task_host&) = delete;
  virtual ~task_host() = default;

  /// The caller steps back: other tasks that are ready run first. Returns at once where there are
  /// none, or the caller is no task. A task may go on on another thread behind it.
  virtual void let_others_run() {}
  /// The stack that the caller runs on: what is below it on the same stack goes on when the caller
  /// does.
  [[nodiscard]] virtual stack_range stack_of_caller() const { return {}; }
};

class coherence {
 public:
  /// The number of the task that a run begins with.
  static constexpr std::uint64_t root_task = 1;

  coherence() = default;
  coherence(const coherence&) = delete;
  coherence& operator=(const coherence&) = delete;
  virtual ~coherence() = default;

  /// The writes of the caller so far, and all that it has acquired from others: from now on a
  /// process that acquires the token can read them, without help from this one. Any thread of the
  /// process.
  virtual token release() = 0;

  /// The same, for the report of a closure's end: whoever waits for it acquires it in this run.
  virtual token release_at_report() { return release(); }

  // At the ends of a run, by the thread of each rank that is in it. No task runs meanwhile.

  /// What goes along when all begin a run, so that each sees what all others have written before;
  /// null, at all ranks: nothing does.
  virtual carried* at_begin() { return nullptr; }
  /// Rank 0: adds what the others must learn, so that they see what was written in the run.
  virtual void tell_at_end(std::vector<std::byte>&) {}
  virtual void learn_at_end(std::span<const std::byte>) {}

  /// The host runs the tasks from now on; null: nobody does, threads of their own call.
  virtual void wait_by(task_host*) {}

  /// Whether the address means the same in all processes.
  [[nodiscard]] virtual bool is_global(std::uintptr_t) const noexcept { return false; }

  // Under checks:

  /// Memory asks them from now on which task calls; null: it asks nobody.
  virtual void ask(known_tasks*) {}
  /// All ranks, while no task runs anywhere: the tasks of another run are to come.
  virtual void begin_run() {}
  /// The calling task, which is at that point, forks. The number of the first closure's task; that
  /// of the second is the next. 0: nobody asks for it.
  virtual std::uint64_t at_fork(const program_point&) { return 0; }

  /// From now on this process sees what happened before the token was made. Any thread.
  virtual void acquire(const token& t) = 0;
};

/// A program without global memory.
class no_coherence final : public coherence {
 public:
  token release() override { return {}; }
  void acquire(const token&) override {}
};

}  // namespace kasuri::cluster
