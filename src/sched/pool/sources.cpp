// SPDX-License-Identifier: Apache-2.0
#include "sched/pool/sources.hpp"

#include "platform/base/clock.hpp"

namespace kasuri::sched {

bool onlooker::counts(const worker& v) const noexcept {
  if (v.queue.empty()) return false;
  if (v.queue.has_public()) return true;
  return !v.arena.is_full() && (!offered || !v.left_alone(platform::ticks()));
}

bool onlooker::may_steal() const noexcept {
  for (int i = 0, n = all.workers(); i != n; ++i) {
    const worker* const v = all.at(i);
    if (v == nullptr || v == who) continue;
    if (who != nullptr && !all.scheduling().may_take(*who, *v)) continue;
    if (!v->ready.empty() || counts(*v)) return true;
  }
  return false;
}

bool pool::work_offered(const worker* who) const noexcept {
  return sources::all::may_hold({.all = *this, .who = who, .offered = true});
}

bool pool::offered_by_others(const worker& who) const noexcept {
  return sources::others::may_hold({.all = *this, .who = &who, .offered = true});
}

bool pool::work_visible() const noexcept { return sources::all::may_hold({.all = *this}); }

}  // namespace kasuri::sched
