// SPDX-License-Identifier: Apache-2.0
#pragma once

// Leagues of teams, and target regions, on the host: one team after the other, on the thread that
// meets the construct. The parallel regions in them have all threads.

#include "omp/region/region.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/work/barrier.hpp"

namespace kasuri::omp {

/// The team that the member is in, among those of its league.
inline league_place league_of(const member& m) noexcept { return m.in->league; }

/// Teams that a construct gets which asks for that many; 0: it does not ask.
int teams_of_league(const member& m, int asked) noexcept;

/// The calling member's team becomes team `number` of `size`. Where members are bound it gets its
/// part of the places `whole`, those of the member that met the construct (KMP_TEAMS_PROC_BIND).
void enter_league(member& m, int number, int size, const place_partition& whole) noexcept;

/// Behind the construct: as it was before.
void leave_league(member& m, league_place before, const place_partition& places) noexcept;

/// Limits the threads of contention groups, for as long as the object lives. 0: no limit of its
/// own.
class thread_limit {
 public:
  thread_limit(member& m, int limit) noexcept;
  ~thread_limit();
  thread_limit(const thread_limit&) = delete;
  thread_limit& operator=(const thread_limit&) = delete;

 private:
  int before_ = 0;  // 0: nothing to take back
};

/// call() for each team of a league.
template <class Call>
void run_league(int asked, int limit, const Call& call) noexcept {
  member& m = self();
  const thread_limit limited(m, limit);
  const int size = teams_of_league(m, asked);
  tool::league_region seen(m, size, tool::invoked_by_runtime);
  const league_place before = league_of(m);
  const place_partition places = m.places;
  for (int i = 0; i != size; ++i) {
    enter_league(m, i, size, places);
    seen.begin_team(i, size);
    call();
    barrier(m);  // the team's tasks
    seen.end_team(i);
  }
  leave_league(m, before, places);
}

/// A target region begins: a region of one member that is in no other one, as far as the program
/// can tell, with the control variables of the environment, as a device has them. limit: of its
/// thread_limit clause, 0 without.
void begin_target(int limit) noexcept;

/// A target region.
template <class Call>
void run_target(int limit, const Call& call) noexcept {
  begin_target(limit);
  call();
  end_region();
}

}  // namespace kasuri::omp
