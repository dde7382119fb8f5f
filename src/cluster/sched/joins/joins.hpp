// SPDX-License-Identifier: Apache-2.0
#pragma once

// The joins that this rank has open with others: forks that it has given away, each with a record
// in this rank's window, into which the rank that runs the closure puts the report of its end
// (reports.hpp).
//
//   open()  --> the parcel travels --> is_done() --> close() or drop()
//      |                                    wait(): the task waits until then
//      +--> withdraw(): nobody has it, nor can get it
//
// A record is done when the word behind it has the generation of its use; the report lies in it by
// then. `lock_` guards the table of records and the list of tasks that wait; the generation of a
// record is read without it by the task that has the join. `anybody_waits_` is set under the lock,
// and looked at without it: a task that is entered in the list looks at its word under the lock, so
// that either it sees the report, or a look behind the ring of the reporting rank sees the task.
//
// Invariant (check()): between two runs all records are free, and nobody waits.

#include <atomic>
#include <optional>

#include "cluster/sched/base/site.hpp"
#include "cluster/sched/wire/join_table.hpp"
#include "cluster/sched/wire/layout.hpp"
#include "cluster/sched/wire/portable_kinds.hpp"
#include "kasuri/global/detail/fork.hpp"
#include "platform/thread/mutex.hpp"

namespace kasuri::cluster {

class joins {
 public:
  using offer = global::detail::offer;

  explicit joins(sched_site& at) noexcept : at_(at) {}

  /// A join for a fork that is about to be given away: its parcel, without a token. None: all
  /// records are in use.
  [[nodiscard]] std::optional<layout::parcel> open(const offer& o);
  /// No other rank has the closure of this record, nor will have it.
  void withdraw(std::uint32_t record);

  /// Whether the report is in the record.
  [[nodiscard]] bool is_done(int record) const;
  /// The calling task waits until it is.
  void wait(int record);
  /// Takes the report out of the offer's record, which is done: copies the result, or throws the
  /// exception.
  void close(const offer& o, void* result);
  /// The same for an offer whose outcome nobody wants.
  void drop(const offer& o) noexcept;

  /// Wakes the tasks whose records are done; true if there were any.
  bool wake();

  /// The invariant that does not hold, or null. Between two runs.
  [[nodiscard]] const char* check();

 private:
  [[nodiscard]] layout::report report_in(int record) const;

  sched_site& at_;
  platform::mutex lock_;  // guards the next two
  join_table table_;
  portable_kinds kinds_;
  std::atomic<bool> anybody_waits_{false};
};

}  // namespace kasuri::cluster
