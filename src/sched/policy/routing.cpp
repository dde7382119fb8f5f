// SPDX-License-Identifier: Apache-2.0
#include "sched/policy/routing.hpp"

#include <new>
#include <utility>

#include "kasuri/detail/join.hpp"
#include "kasuri/task.hpp"
#include "platform/base/expect.hpp"
#include "sched/pool/pool.hpp"
#include "sched/rules/routing_rules.hpp"

namespace kasuri::sched {

using rules::fork_over;
using rules::use;

namespace {

/// The share of the task about to be dealt.
interval next_part(extent& of, double work) noexcept {
  if (!(of.total > 0)) return of.in.cell(of.dealt++);
  const double from = of.given / of.total;
  of.given += work > 0 ? work : 0;
  const interval next = of.in.part(from, of.given / of.total);
  KASURI_EXPECT(cheap, of.in.begin <= next.begin && next.end <= of.in.end,
                "workers %d to %d for %g of %g, the range has %d to %d", next.first_worker(),
                next.last_worker(), work, of.total, of.in.first_worker(), of.in.last_worker());
  return next;
}

/// A task of a group. False: it begins here and owns nothing further, so the deque will do.
bool deal(worker& w, detail::frame* f, shares work) noexcept {
  extent& of = *w.range;
  if (of.dealing == nullptr) {
    of.dealing = fork_over(of);
    if (of.dealing == nullptr) return false;
    take_part(w, use(of.dealing));
  }
  KASURI_EXPECT(cheap, of.dealing->depth == of.depth() + 1, "a group of depth %d inside of %d",
                of.dealing->depth, of.depth());
  const interval part = next_part(of, work.first);
  const bool here = part.empty() || part.first_worker() == of.in.first_worker();
  if (here && !part.spans()) return false;
  extent* own = nullptr;
  if (part.spans()) {
    own = new (std::nothrow) extent{.in = part, .fork = of.dealing, .root_worker = of.root_worker};
    if (own == nullptr) return false;
  }
  const int to = here ? w.index : w.home->on_line(part.first_worker(), of.root_worker);
  w.stats.routed.add();
  w.home->post_to_worker(
      to,
      {.what = f, .range = own, .fork = use(of.dealing), .depth = of.dealing->depth, .worker = to});
  return true;
}

}  // namespace

int owner_of(const pool& p, const extent& range) noexcept { return rules::owner_of(p, range); }

void begin_root(worker& w) noexcept {
  if (!w.home->scheduling().routes() || w.home->configured() < 2) return;
  KASURI_EXPECT(cheap, w.range == nullptr && w.stats.role == record::worker_role::guest,
                "worker %d wears range %p at the root", w.index, static_cast<void*>(w.range));
  w.root = {.in = interval::of_workers(0, w.home->configured()), .root_worker = w.index};
  wear_range(w, &w.root);
}

void end_root(worker& w) noexcept {
  KASURI_EXPECT(cheap, w.range == nullptr || w.range == &w.root,
                "worker %d wears range %p at the end of its root %p", w.index,
                static_cast<void*>(w.range), static_cast<void*>(&w.root));
  if (w.range == nullptr) return;
  end_dealing(w);
  wear_range(w, nullptr);
}

bool route(worker& w, detail::worker_slot* at, bool detached) noexcept {
  const shares work = std::exchange(w.next_shares, {});
  detail::frame* const f = w.queue.unpush(at);
  if (f == nullptr) return false;
  const bool deals = detached && f->type->body != nullptr;
  const bool forks = !detached && f->type->lazy_join;
  if ((forks && rules::route_fork(w, f, work)) || (deals && deal(w, f, work))) return true;
  w.face.push(f, at, detached ? detail::slot_detached : 0);
  return false;
}

bool was_routed(const worker& w, const detail::frame* f) noexcept {
  return rules::was_routed(w, f);
}

void end_dealing(worker& w) noexcept {
  if (w.range != nullptr) rules::end_dealing(w, *w.range);
}

}  // namespace kasuri::sched
