// SPDX-License-Identifier: Apache-2.0
#pragma once

// The joins with other ranks that a rank may have open at a time: the records of its window that
// are in use, and the tasks that wait for them. The owner of the lock around it calls it.
//
// Invariants: a record is in use, or in the list of free ones once. A task waits for a record in
// use, and no second task for the same. The generation of a record counts its uses.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cluster/sched/wire/layout.hpp"
#include "platform/base/expect.hpp"
#include "sched/kernel/wait_queue.hpp"

namespace kasuri::cluster {

class join_table {
 public:
  join_table() : generation_(layout::records, 0) {
    for (int i = layout::records; i-- != 0;) free_.push_back(i);
  }

  [[nodiscard]] bool none_free() const noexcept { return free_.empty(); }

  /// A record for a join; there is one. Its generation tells this use from others.
  int take() {
    KASURI_EXPECT(cheap, !none_free(), "all %d records are in use", layout::records);
    const int i = free_.back();
    free_.pop_back();
    ++generation_[index_of(i)];
    return i;
  }
  void give_back(int i) {
    KASURI_EXPECT(all, in_use(i), "record %d is given back twice; %zu are free", i, free_.size());
    KASURI_EXPECT(all, !is_waited_for(i), "record %d is given back while a task waits for it", i);
    free_.push_back(i);
  }
  [[nodiscard]] std::uint64_t generation(int i) const { return generation_[index_of(i)]; }

  /// A task that waits, an entry of the queue; it lies on the task's stack.
  struct waiter {
    int record;
    void* task;
    waiter* next;
  };
  void wait(waiter& w) {
    KASURI_EXPECT(all, in_use(w.record) && !is_waited_for(w.record),
                  "a task waits for record %d, which is free or has another one that waits",
                  w.record);
    sched::append(waiting_, &w);
  }
  [[nodiscard]] bool anybody_waits() const noexcept { return waiting_ != nullptr; }

  /// Takes out the waiters whose record is_done(record): a queue of their own.
  template <class IsDone>
  [[nodiscard]] waiter* take_done(IsDone is_done) {
    waiter* done = nullptr;
    sched::take_where(
        waiting_, layout::records, [&](const waiter& w) { return is_done(w.record); },
        [&](waiter& w) { sched::append(done, &w); });
    return done;
  }

  /// The invariant that does not hold while no join is open, or null.
  [[nodiscard]] const char* check() const {
    if (anybody_waits()) return "a task waits for a join, and none is open";
    std::vector<int> all = free_;
    std::ranges::sort(all);
    for (int i = 0; i != static_cast<int>(all.size()); ++i)
      if (all[static_cast<std::size_t>(i)] != i) return "a record of a join is free twice";
    return all.size() == layout::records ? nullptr : "a record is in use, and no join is open";
  }

 private:
  static std::size_t index_of(int i) noexcept {
    KASURI_EXPECT(cheap, i >= 0 && i < layout::records, "record %d of %d", i, layout::records);
    return static_cast<std::size_t>(i);
  }
  [[nodiscard]] bool in_use(int i) const {
    return generation_[index_of(i)] != 0 && std::ranges::find(free_, i) == free_.end();
  }
  [[nodiscard]] bool is_waited_for(int i) const {
    bool found = false;
    sched::for_each(waiting_, [&](const waiter& w) { found |= w.record == i; });
    return found;
  }

  std::vector<std::uint64_t> generation_;
  std::vector<int> free_;
  waiter* waiting_ = nullptr;  // sched/kernel/wait_queue.hpp
};

}  // namespace kasuri::cluster
