// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/search/search.hpp"

#include <algorithm>

namespace kasuri::cluster {

/// Notes a new run, and that the searcher has nothing to do from now on.
void work_search::begin(searcher& s, std::uint64_t run, std::uint64_t now) const {
  if (s.run != run) {
    s.run = run;
    s.is_busy(now);
  }
  if (s.idle_since == 0) {
    KASURI_EXPECT(cheap, s.busy_since <= now, "busy since %llu ns, and it is %llu ns",
                  static_cast<unsigned long long>(s.busy_since),
                  static_cast<unsigned long long>(now));
    s.idle_since = now;
    s.busy_ns = now - s.busy_since;
  }
}

travelled* work_search::look(searcher& s, std::uint64_t run) {
  const std::uint64_t now = at_.net.now_ns();
  begin(s, run, now);
  travelled* t = inbox_.take();
  if (t == nullptr) {
    if (at_.size == 1 || !at_.options.probes) return nullptr;
    // A closure that is this rank's own may be on its way.
    if (at_.options.adws && now - s.idle_since < patience_of(s)) return nullptr;
    t = look_elsewhere(s, now);
  }
  if (t == nullptr)
    ++s.fruitless;
  else
    s.is_busy(at_.net.now_ns());
  return t;
}

travelled* work_search::look_elsewhere(searcher& s, std::uint64_t now) {
  if (const int caller = thief_.take_call(); caller >= 0) {
    s.nap_ns = 0;
    s.asked_lifelines = false;
    if (travelled* t = thief_.ask_caller(caller)) return t;
  }
  if (s.fruitless >= at_.options.eager_probes && !s.asked_lifelines) {
    s.asked_lifelines = true;
    return thief_.ask_lifelines();
  }
  return thief_.probe_any(now);
}

/// Under adws a rank that is ready a little earlier than others leaves to them what is theirs, so
/// that the next sweep finds all data where it was: a tenth of the time for which it was busy
/// itself, or all of it where that is less than what a system sets a process aside for.
std::uint64_t work_search::patience_of(const searcher& s) const noexcept {
  constexpr std::uint64_t part = 10;
  constexpr std::uint64_t time_slice_ns = 5'000'000;
  return std::max({at_.options.patience_ns, s.busy_ns / part, std::min(s.busy_ns, time_slice_ns)});
}

std::uint64_t work_search::rest(searcher& s) {
  const scheduler_options& how = at_.options;
  if (at_.size == 1 || !how.probes) return how.longest_nap_ns;
  if (how.adws) {
    const std::uint64_t idle = at_.net.now_ns() - s.idle_since;
    if (idle < patience_of(s)) return patience_of(s) - idle;
  }
  if (s.fruitless < how.eager_probes || !s.asked_lifelines) return 0;
  at_.counted.naps.add();
  s.nap_ns = s.nap_ns == 0 ? how.shortest_nap_ns : std::min(2 * s.nap_ns, how.longest_nap_ns);
  return s.nap_ns;
}

}  // namespace kasuri::cluster
