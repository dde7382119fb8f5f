// SPDX-License-Identifier: Apache-2.0
#pragma once

// Accounts for a member that waits awake, in the table of KASURI_STATS and in recordings: while one
// of these lives, its worker waits. The tasks that it runs meanwhile are work.

#include "record/wait_reason.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::omp {

class wait_account {
 public:
  explicit wait_account(record::wait_reason why) noexcept : why_(why) {
    sched::worker* const w = sched::current();
    if (w != nullptr && w->observed) [[unlikely]]
      begin(*w);
  }
  ~wait_account() {
    if (on_ != nullptr) [[unlikely]]
      end();
  }
  wait_account(const wait_account&) = delete;
  wait_account& operator=(const wait_account&) = delete;

  /// Calls look(), which may run tasks and come back on another worker. True: it says that it has
  /// run some.
  template <class Look>
  bool look_for_tasks(const Look& look) noexcept {
    if (on_ == nullptr) [[likely]]
      return look();
    begin_look();
    const bool ran = look();
    end_look(ran);
    return ran;
  }

 private:
  void begin(sched::worker& w) noexcept;
  void end() noexcept;
  void begin_look() noexcept;
  void end_look(bool ran) noexcept;

  const record::wait_reason why_;
  sched::worker* on_ = nullptr;  // null: nobody wants to know
  std::uint64_t since_ = 0;      // ticks
};

}  // namespace kasuri::omp
