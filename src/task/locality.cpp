// SPDX-License-Identifier: Apache-2.0
#include "kasuri/locality.hpp"

#include "kasuri/detail/join.hpp"
#include "profile/base/active.hpp"
#include "sched/measure/measured.hpp"
#include "sched/pool/pool.hpp"
#include "sched/run/join.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {
namespace {

/// Where a place's mailbox is; neither: the caller's own place, or none.
struct address {
  int node = -1;
  int worker = -1;

  static address of(where place) noexcept {
    sched::worker* const w = sched::current();
    if (w == nullptr) return {};
    const sched::pool& p = *w->home;
    if (place.of == where::kind::worker && place.index >= 0 && place.index < p.workers() &&
        place.index != w->index)
      return {.worker = place.index};
    if (place.of != where::kind::node) return {};
    const int node = p.node_index(place.index);
    return {.node = node == w->node ? -1 : node};
  }
};

}  // namespace

void announce_shares(double first, double rest) noexcept {
  if (sched::worker* w = sched::current()) w->next_shares = {first, rest};
}

void announce_total(double work) noexcept {
  sched::worker* const w = sched::current();
  if (w != nullptr && w->range != nullptr) w->range->total = work;
}

bool send_to(where place, frame* f) noexcept {
  const address to = address::of(place);
  if (to.node < 0 && to.worker < 0) return false;
  sched::pool& p = *sched::current()->home;
  if (f->type->lazy_join) f->join_word().store(join_empty, std::memory_order_relaxed);
  if (profile::active()) [[unlikely]]
    sched::task_created(f->type->body == nullptr ? static_cast<const void*>(f) : f->in);
  if (to.worker >= 0)
    p.post_to_worker(to.worker, {.what = f, .worker = to.worker});
  else
    p.post_to_node(to.node, {.what = f, .node = to.node});
  return true;
}

bool join_sent(frame* f, bool drop) noexcept {
  const bool dropped = !sched::finished(f) && drop && sched::current()->home->take_back(f);
  if (!dropped && !sched::finished(f)) sched::wait_for(f);
  if (profile::active()) [[unlikely]]
    sched::wait_ended(f);
  return dropped;
}

}  // namespace detail
}  // namespace kasuri
