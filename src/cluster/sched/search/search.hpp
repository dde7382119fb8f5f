// SPDX-License-Identifier: Apache-2.0
#pragma once

// The order in which an idle process looks for closures of other ranks, and when it naps.
//
//   busy --> look(): the inbox; then, once patience is over: the outbox of a rank that has called;
//            random victims, eager_probes in a row; all lifelines, once; random victims
//   rest() --> 0 as long as looks may pay; then naps, each twice as long as the one before
//
// Anything that is found makes it busy again. Under adws it has patience first: see patience_of().

#include <cstdint>

#include "cluster/sched/offers/inbox.hpp"
#include "cluster/sched/search/thief.hpp"
#include "cluster/sched/base/site.hpp"
#include "cluster/sched/base/travelled.hpp"

namespace kasuri::cluster {

/// A thread that looks for work on behalf of a process; there is one at a time.
struct searcher {
  unsigned fruitless = 0;
  std::uint64_t busy_since = 0;  // when it last found something
  std::uint64_t busy_ns = 0;     // so long it was busy with that
  bool asked_lifelines = false;
  std::uint64_t nap_ns = 0;
  std::uint64_t idle_since = 0;  // 0: it is not
  std::uint64_t run = 0;         // which

  /// It goes on with a task.
  void is_busy(std::uint64_t now) noexcept { *this = {.busy_since = now, .run = run}; }
};

class work_search {
 public:
  work_search(sched_site& at, travelled_store& store, inbox& letters)
      : at_(at), inbox_(letters), thief_(at, store) {}

  /// A closure to run here, after at most a few trips; null: none was found. `run`: number of the
  /// run that goes on.
  [[nodiscard]] travelled* look(searcher& s, std::uint64_t run);
  /// Whether another rank has called, or has sent something, since the last look.
  [[nodiscard]] bool is_called() const { return thief_.is_called() || inbox_.has_mail(); }
  /// Nothing was found: how long to nap before the next look; 0: look again at once.
  [[nodiscard]] std::uint64_t rest(searcher& s);

 private:
  void begin(searcher& s, std::uint64_t run, std::uint64_t now) const;
  [[nodiscard]] travelled* look_elsewhere(searcher& s, std::uint64_t now);
  [[nodiscard]] std::uint64_t patience_of(const searcher& s) const noexcept;

  sched_site& at_;
  inbox& inbox_;
  thief thief_;
};

}  // namespace kasuri::cluster
