// SPDX-License-Identifier: Apache-2.0
// Almost deterministic work stealing (Shiina and Taura, SC '19; TPDS 33(12), 2022): the search.
//
// routing.cpp sends each side of a fork to where its interval begins, the same place in every sweep. Here
// the imbalance that is left is evened out nearby: a worker takes only from those that take part in
// the innermost fork that it takes part in itself, and of what was sent to them only what that fork or
// forks inside it sent. When the fork has joined, its parent's range applies.

#include "sched/policy.hpp"
#include "sched/pool.hpp"

namespace kasuri::sched {
namespace {

class adws_policy final : public policy {
 public:
  look steal_near(worker& thief, pool& all) override {
    look result;
    const span_fork* const fork = part_of(thief);
    // Without a part in any fork it serves what has no interval, tasks of foreign threads; and all that
    // others are kept from by a system call or a spinning task.
    const int first = fork == nullptr ? 0 : fork->range.first_worker();
    const int count = fork == nullptr ? all.workers() : fork->range.last_worker() - first + 1;
    int cell = static_cast<int>(thief.next_random() % static_cast<unsigned>(count));
    for (int n = 0; n != count; ++n, cell = cell + 1 == count ? 0 : cell + 1) {
      worker* const victim = all.at(
          fork == nullptr ? cell : all.on_line(first + cell, fork->root_worker));
      if (victim == nullptr || victim == &thief || !may_take(thief, *victim)) continue;
      const look l = take_from(thief, *victim);
      result.saw_work |= l.saw_work;
      if (l.found == nullptr) continue;
      result.found = l.found;
      return result;
    }
    return result;
  }

  bool may_take(const worker& thief, const worker& victim) const override {
    const int depth = victim.fork_depth.load(std::memory_order_relaxed);
    if (depth == 0) return true;  // tasks without an interval, or of who stands in for another
    if (thief.fork == nullptr) return thief.home->lends();
    return depth >= thief.fork->depth && may_open(thief, victim);
  }

  // By the letters' own depth: the victim may not have taken part in anything yet.
  bool may_open(const worker& thief, const worker& victim) const override {
    if (thief.fork == nullptr) return thief.home->lends();
    const int cell = victim.index == thief.fork->root_worker ? 0 : victim.cell;
    return thief.fork->range.holds(cell);
  }

  bool wakes(const worker& sleeper, const worker& by) const override {
    return by.fork == nullptr || by.home->lends() || by.fork->range.holds(sleeper.cell);
  }

  int depth_of(const worker& thief) const override {
    return thief.fork == nullptr ? 0 : thief.fork->depth;
  }

  bool routes() const override { return true; }
};

}  // namespace

std::unique_ptr<policy> make_adws() { return std::make_unique<adws_policy>(); }

}  // namespace kasuri::sched
