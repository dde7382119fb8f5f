// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a fork that spans several workers is handed out, as templates over the worker: the runtime
// (routing.cpp) instantiates them for its own, the simulator (tools/simulate) for virtual ones.
// extent.hpp has what they deal with.

#include <atomic>
#include <new>
#include <utility>

#include "kasuri/detail/frame.hpp"
#include "platform/base/expect.hpp"
#include "sched/rules/extent.hpp"
#include "sched/rules/range_rules.hpp"

namespace kasuri::sched::rules {

/// A fork over all that `range` holds; null when there is no memory.
inline span_fork* fork_over(const extent& range) noexcept {
  KASURI_EXPECT(cheap, range.in.spans(), "a fork over worker %d alone", range.in.first_worker());
  auto* f = new (std::nothrow) span_fork;
  if (f == nullptr) return nullptr;
  f->range = range.in;
  f->depth = range.depth() + 1;
  f->root_worker = range.root_worker;
  f->parent = use(range.fork);
  return f;
}

inline void joined(span_fork* f) noexcept {
  KASURI_EXPECT(cheap, !f->joined.load(std::memory_order_relaxed),
                "a fork of depth %d joins a second time", f->depth);
  // release: pairs with the acquire in part_of
  f->joined.store(true, std::memory_order_release);
}

/// Nobody deals further children for the task that wears `range`, and runs on `w`: the group was
/// waited for, or the task ends. Its children may go on: threads, and tasks of a group around it.
template <class Worker>
void end_dealing(Worker& w, extent& range) noexcept {
  if (range.dealing == nullptr) return;
  span_fork* const fork = std::exchange(range.dealing, nullptr);
  KASURI_EXPECT(cheap, fork->depth == range.depth() + 1, "a group of depth %d ends inside of %d",
                fork->depth, range.depth());
  range.total = range.given = 0;
  range.dealt = 0;
  joined(fork);
  take_part(w, use(fork->parent));
  release(fork);
}

/// The index of the worker that runs the task which wears `range`.
template <class Pool>
int owner_of(const Pool& p, const extent& range) noexcept {
  return p.on_line(range.in.first_worker(), range.root_worker);
}

/// parallel_invoke: the first side goes on here, the second goes where its interval begins.
template <class Worker>
bool route_fork(Worker& w, detail::frame* f, shares work) noexcept {
  extent* const parent = w.range;
  KASURI_EXPECT(cheap, parent != nullptr && parent->in.spans(),
                "worker %d routes a fork and wears range %p", w.index, static_cast<void*>(parent));
  auto* r = new (std::nothrow) routed_fork;
  auto* own = new (std::nothrow) extent;  // the parent may join and be gone before its wearer looks
  span_fork* const fork = r == nullptr || own == nullptr ? nullptr : fork_over(*parent);
  if (fork == nullptr) {
    delete own;
    delete r;
    return false;
  }
  const auto [first, rest] = parent->in.split(work.first, work.rest);
  KASURI_EXPECT(cheap,
                first.begin == parent->in.begin && first.end == rest.begin &&
                    rest.end == parent->in.end && fork->depth == parent->depth() + 1,
                "%d to %d is split at %d, depth %d inside of %d", parent->in.first_worker(),
                parent->in.last_worker(), rest.first_worker(), fork->depth, parent->depth());
  const int root = parent->root_worker;
  const bool here = rest.empty() || rest.first_worker() == parent->in.first_worker();
  r->second = f;
  r->parent = parent;
  r->first = {.in = first, .fork = fork, .by = r, .root_worker = root};
  r->fork = fork;
  if (rest.spans())
    *own = {.in = rest, .fork = fork, .root_worker = root};
  else
    delete std::exchange(own, nullptr);
  r->to = here ? w.index : w.home->on_line(rest.first_worker(), root);
  f->join_word().store(detail::join_empty, std::memory_order_relaxed);
  take_part(w, use(fork));
  wear_range(w, &r->first);
  w.stats.routed.add();
  w.home->post_to_worker(
      r->to, {.what = f, .range = own, .fork = use(fork), .depth = fork->depth, .worker = r->to});
  return true;
}

/// The interval that the parent's side, which runs on, owns again.
template <class Worker>
void close_fork(Worker& w, routed_fork* r) noexcept {
  KASURI_EXPECT(cheap, r->first.by == r && r->first.fork == r->fork,
                "worker %d closes the fork %p, whose first side is of %p and of fork %p", w.index,
                static_cast<void*>(r->fork), static_cast<void*>(r->first.by),
                static_cast<void*>(r->first.fork));
  end_dealing(w, r->first);
  joined(r->fork);
  wear_range(w, r->parent);
  take_part(w, use(r->fork->parent));
  release(r->fork);
  delete r;
}

/// Whether `f` is the second side of the fork whose first side has just run on `w`.
template <class Worker>
bool was_routed(const Worker& w, const detail::frame* f) noexcept {
  return w.range != nullptr && w.range->by != nullptr && w.range->by->second == f;
}

}  // namespace kasuri::sched::rules
