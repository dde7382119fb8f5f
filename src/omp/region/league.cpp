// SPDX-License-Identifier: Apache-2.0
#include "omp/region/league.hpp"

#include <algorithm>

#include "omp/env/environment.hpp"
#include "omp/place/places.hpp"
#include "omp/team/icv_access.hpp"
#include "omp/team/member_place.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

int teams_of_league(const member& m, int asked) noexcept {
  KASURI_EXPECT(cheap, values(m).nteams >= 0, "%d teams", values(m).nteams);
  if (asked > 0) return asked;
  return std::max(1, values(m).nteams);
}

void enter_league(member& m, int number, int size, const place_partition& whole) noexcept {
  KASURI_EXPECT(cheap, number >= 0 && number < size, "team %d of %d", number, size);
  m.in->league = {number, size};
  if (whole.bound < 0) [[likely]]
    return;
  m.places = place_of(number, size, environment().teams_bind, whole);
  bind_thread_of(m);
}

void leave_league(member& m, league_place before, const place_partition& places) noexcept {
  KASURI_EXPECT(cheap, m.in->league.number + 1 == m.in->league.size, "team %d of %d is the last",
                m.in->league.number, m.in->league.size);
  m.in->league = before;
  if (places.bound < 0) [[likely]]
    return;
  m.places = places;
  bind_thread_of(m);
}

thread_limit::thread_limit(member& m, int limit) noexcept {
  const icvs& v = values(m);
  if (limit <= 0) limit = v.teams_thread_limit;
  if (limit <= 0 || limit >= v.thread_limit) return;
  before_ = v.thread_limit;
  own_values(m).thread_limit = limit;
}

thread_limit::~thread_limit() {
  if (before_ != 0) own_values(self()).thread_limit = before_;
}

void begin_target(int limit) noexcept {
  member& m = begin_serial_region();
  team& t = *m.in;
  KASURI_EXPECT(cheap, t.size == 1 && t.nest.level > 0, "a target region of %d at level %d", t.size,
                t.nest.level);
  t.nest.target = t.nest.level;
  t.contention.in_target.store(1, std::memory_order_relaxed);
  t.contention.busy = &t.contention.in_target;
  t.nest.active = 0;
  t.league = {};
  t.inherited.values = environment().initial;
  if (limit > 0) t.inherited.values.thread_limit = limit;
}

}  // namespace kasuri::omp
