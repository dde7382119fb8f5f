// SPDX-License-Identifier: Apache-2.0
#pragma once

// The joins with other ranks that a rank may have open at a time: which records of its window are
// in use, and who waits for them. The owner of the lock around it calls it.

#include <cstdint>
#include <vector>

#include "cluster/sched/wire/layout.hpp"

namespace kasuri::cluster {

class join_table {
 public:
  join_table() : generation_(layout::records, 0) {
    for (int i = layout::records; i-- != 0;) free_.push_back(i);
  }

  bool empty() const noexcept { return free_.empty(); }

  /// A record for a join; there is one. Its generation tells this use from others.
  int take() {
    const int i = free_.back();
    free_.pop_back();
    ++generation_[static_cast<std::size_t>(i)];
    return i;
  }
  void give_back(int i) { free_.push_back(i); }
  std::uint64_t generation(int i) const { return generation_[static_cast<std::size_t>(i)]; }

  struct waiter {
    int record;
    void* task;
  };
  void wait(int record, void* task) { waiting_.push_back({record, task}); }
  bool anybody_waits() const noexcept { return !waiting_.empty(); }

  /// Takes out those whose record is_done(record), oldest first.
  template <class IsDone, class Each>
  void take_done(IsDone is_done, Each each) {
    std::size_t kept = 0;
    for (const waiter& w : waiting_) {
      if (is_done(w.record))
        each(w.task);
      else
        waiting_[kept++] = w;
    }
    waiting_.resize(kept);
  }

 private:
  std::vector<std::uint64_t> generation_;
  std::vector<int> free_;
  std::vector<waiter> waiting_;
};

}  // namespace kasuri::cluster
