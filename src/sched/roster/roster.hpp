// SPDX-License-Identifier: Apache-2.0
#pragma once

// The workers of the pool: a slot for each configured worker, for each spare that the settings
// allow, and for each guest. A slot is filled once and never emptied.
//
// The configured workers have positions on a line, in the machine tree's order; the slots of guests
// of an earlier life of the pool may lie between theirs.

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "platform/base/bounds.hpp"
#include "platform/base/expect.hpp"
#include "platform/thread/mutex.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

class roster {
 public:
  explicit roster(pool& of) : of_(of), slots_(platform::most_slots) {}
  roster(const roster&) = delete;
  roster& operator=(const roster&) = delete;

  /// Workers that the settings ask for: tokens without the extra ones.
  int configured() const noexcept { return configured_; }

  /// Worker slots that exist, for policies and reports: indices are below this.
  int workers() const noexcept {
    // acquire: pairs with the release in add_worker
    return count_.load(std::memory_order_acquire);
  }
  worker* at(int i) const noexcept {
    KASURI_EXPECT(cheap, i >= 0 && i < platform::most_slots, "slot %d of %d", i,
                  platform::most_slots);
    // acquire: pairs with the release in add_worker
    return slots_[static_cast<std::size_t>(i)].load(std::memory_order_acquire);
  }
  /// The index of the configured worker at a position of the line.
  int on_line(int cell) const noexcept {
    KASURI_EXPECT(cheap, cell >= 0 && static_cast<std::size_t>(cell) < line_.size(),
                  "cell %d of %zu", cell, line_.size());
    return line_[static_cast<std::size_t>(cell)];
  }
  /// ... where another stands for the first.
  int on_line(int cell, int first) const noexcept { return cell == 0 ? first : on_line(cell); }
  const std::vector<int>& line() const noexcept { return line_; }

  /// Kernel numbers of the NUMA nodes that have workers, ascending.
  const std::vector<int>& nodes() const noexcept { return nodes_; }
  /// The index of that kernel number in nodes(), or -1.
  int node_index(int os_node) const noexcept;

  /// Per-worker counters, for KASURI_STATS and kasuri::counters().
  std::vector<const record::worker_stats*> stats() const;

  /// A worker for an OS thread that is none, and back; the thread holds no token by it.
  worker& borrow_worker();
  void give_worker_back(worker& w) noexcept;

  /// Fills one more slot. Ends the process with a message when there is none left.
  worker* add_worker(record::worker_role role);

  /// Reads the settings: which workers are configured, and where each lies in the machine. The
  /// number of them that sleep.
  std::uint32_t line_up_again();

  /// Gives the identities back that the workers keep. None of their threads runs.
  void give_identities_back() noexcept;

  /// For fork().
  void lock_roster() { slots_lock_.lock(); }
  void unlock_roster() { slots_lock_.unlock(); }

 private:
  void line_up();
  void place(worker& w) const;
  void check() const;

  // Read in every search: apart from the queue of the waker.
  alignas(64) pool& of_;
  int configured_ = 0;
  bool timing_ = false;
  std::atomic<int> count_{0};
  std::vector<std::atomic<worker*>> slots_;
  std::vector<int> line_;
  std::vector<int> nodes_;
  platform::mutex slots_lock_;        // adding a worker
  std::vector<worker*> free_guests_;  // under slots_lock_
};

}  // namespace kasuri::sched
