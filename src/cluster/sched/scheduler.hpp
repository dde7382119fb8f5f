// SPDX-License-Identifier: Apache-2.0
#pragma once

// The scheduler of one rank: the outside face, and what wires the owners together, each a type with
// its own fields, its protocol at its head:
//
//   offers/   outbox: forks of this rank that others may take; inbox: closures that were sent to a
//             rank; ranges: forks divided between ranks, under adws
//   joins/    joins: forks that others have, and the tasks that wait for them; reports: of closures
//             that run here
//   search/   thief: other ranks' outboxes, lifelines; work_search: the order of looks, naps
//   run.hpp   whole_run: the computation of all ranks that goes on
//   travelled.hpp   closures of others that run here
//
// A fork's way: spread() offers it, or sends it off; send_to() sends one to a rank of the program's
// choice. The stack that joins it comes to
// take_or_wait(), which takes it back, or waits for the report and takes that out. At another rank
// look() finds its closure, and run() runs and reports it.
//
// Locks, outer to inner: the outbox's, the joins'; that of the store of travelled closures alone.

#include <cstdint>
#include <vector>

#include "cluster/base/coherence.hpp"
#include "cluster/sched/host/task_points.hpp"
#include "cluster/sched/joins/joins.hpp"
#include "cluster/sched/joins/reports.hpp"
#include "cluster/sched/offers/inbox.hpp"
#include "cluster/sched/offers/outbox.hpp"
#include "cluster/sched/offers/ranges.hpp"
#include "cluster/sched/run.hpp"
#include "cluster/sched/search/search.hpp"
#include "cluster/sched/base/site.hpp"
#include "cluster/sched/base/travelled.hpp"
#include "cluster/transport/transport.hpp"
#include "kasuri/global/detail/fork.hpp"
#include "platform/thread/mutex.hpp"

namespace kasuri::cluster {

class scheduler {
 public:
  /// Collective.
  scheduler(transport& net, coherence& memory, pool_side& pool, const scheduler_options& options);
  ~scheduler();
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  global::detail::spread_face& face() noexcept { return face_; }
  transport& network() noexcept { return site_.net; }
  pool_side& pool() noexcept { return site_.pool; }
  const sched_counters& counted() const noexcept { return site_.counted; }

  // ---- what inlined code calls

  void spread(global::detail::fork_chain& chain, double first_work, double second_work);
  bool second_first(global::detail::fork_chain& chain, double first_work,
                    double second_work) const {
    return ranges_.second_first(chain, first_work, second_work);
  }
  void show_fork(global::detail::fork_chain& chain, bool first_is_offered);
  void send_to(global::detail::fork_chain& chain, int rank);
  bool take_or_wait(global::detail::offer& o, void* result);
  void abandon(global::detail::offer& o) noexcept;

  // ---- what those call who look for work

  /// Wakes tasks whose joins have come; true if there were any.
  bool collect();
  /// A closure to run here, after at most a few trips; null: none was found.
  travelled* look(searcher& s) { return search_.look(s, run_.number()); }
  /// Whether another rank has called, or has sent something, since the last look.
  bool is_called() const { return search_.is_called(); }
  /// Nothing was found: how long to nap before the next look; 0: look again at once.
  std::uint64_t rest(searcher& s) { return search_.rest(s); }
  /// Runs it, and reports.
  void run(travelled* t) noexcept;
  /// Whether a run goes on, so that looking makes sense.
  bool serves() const noexcept { return run_.goes_on(); }

  /// Collective: rank 0 runs kind's code on `closure`, all serve it; all get the result, or throw.
  void run_root(const global::detail::closure_kind& kind, void* closure, void* result);

  /// Collective.
  std::vector<global::rank_counters> gather_counters();

  /// The invariant of one of the owners that does not hold, or null. Between two runs.
  [[nodiscard]] const char* check();

 private:
  using offer = global::detail::offer;

  void expect_no_address(const offer& o) const;
  void offer_forks(global::detail::fork_chain& chain);
  void wait_for_report(const offer& o);
  void execute(travelled& t);

  sched_site site_;
  global::detail::spread_face face_;
  task_points tasks_;
  travelled_store store_;
  joins joins_;
  reports reports_;
  outbox outbox_;
  inbox inbox_;
  ranges ranges_;
  work_search search_;
  whole_run run_;
};

}  // namespace kasuri::cluster
