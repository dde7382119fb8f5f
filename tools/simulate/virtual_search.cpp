// SPDX-License-Identifier: Apache-2.0
// How a worker without a task comes to one, in the order of sched/pool/policy.hpp.
#include <algorithm>
#include <utility>

#include "sched/rules/routing_rules.hpp"
#include "sched/rules/search_rules.hpp"
#include "simulate/virtual_pool.hpp"

namespace kasuri::simulate {
namespace {

// As many victims does the custom steal function look at.
constexpr int most_candidates = 64;

}  // namespace

/// Only a look: the frame is taken when the thief is there, at the end of its round.
look take_from(worker& thief, worker& victim) noexcept {
  const cost_model& c = thief.home->costs();
  const distance d = thief.home->between(thief, victim);
  thief.stats.probes.add();
  if (victim.queue.empty()) {
    thief.search_time += c.probe[d];
    return {};
  }
  thief.search_time += c.steal[d];
  thief.target = &victim;
  return {victim.queue.front(), true};
}

bool pool::may_take(worker& thief, worker& victim) {
  if (options_.by != policy::adws) return true;
  part_of(thief);
  return sched::rules::may_take_in_range(thief, victim);
}

bool pool::may_open(const worker& thief, const worker& victim) const {
  return options_.by != policy::adws || sched::rules::may_open_in_range(thief, victim);
}

item* pool::open(worker& w, const sched::letter& l) {
  --letters_;
  if (l.fork != nullptr) sched::rules::take_part(w, l.fork);
  w.next_range = l.range;
  auto* const i = static_cast<item*>(l.what);
  if (i->thread) static_cast<fiber*>(i)->place = -1;
  return i;
}

/// As sched::pool::next_own and take_letter.
item* pool::own(worker& w) {
  if (w.returning != nullptr) return std::exchange(w.returning, nullptr);
  if (!w.queue.empty()) {
    task* const t = w.queue.back();
    w.queue.pop_back();
    --frames_;
    return t;
  }
  sched::letter l;
  if (w.box.take(l) || node_boxes_[static_cast<std::size_t>(w.node)].take(l)) return open(w, l);
  return nullptr;
}

item* pool::take_far_letter(worker& w) {
  sched::letter l;
  for (sched::mailbox& box : node_boxes_)
    if (box.take(l)) return open(w, l);
  const int depth = options_.by == policy::adws ? sched::rules::least_depth(w) : 0;
  const auto may = [&w](const sched::extent& range) {
    return sched::rules::may_open_wide(w, range);
  };
  for (worker& v : workers_) {
    if (&v == &w) continue;
    if (may_open(w, v) ? v.box.take(l, depth) : v.box.take_wide(l, may)) return open(w, l);
  }
  return nullptr;
}

/// The paper's function for tree-based AMR: a subtree that ran here before, the larger the better;
/// else the largest.
look pool::custom_round(worker& w) {
  const int tries = std::min(workers(), most_candidates);
  worker* best = nullptr;
  std::pair<bool, double> best_hint;
  int victim = static_cast<int>(w.next_random() % static_cast<unsigned>(workers()));
  for (int n = 0; n != tries; ++n, victim = victim + 1 == workers() ? 0 : victim + 1) {
    worker& v = *at(victim);
    if (&v == &w) continue;
    w.stats.probes.add();
    w.search_time += costs_.probe[between(w, v)];
    if (v.queue.empty()) continue;
    const std::uint32_t node = v.queue.front()->node;
    const std::pair hint{node_worker_[node] == w.index, graph_.at(node).total};
    if (best != nullptr && hint <= best_hint) continue;
    best = &v;
    best_hint = hint;
  }
  if (best == nullptr) return {};
  w.search_time += costs_.steal[between(w, *best)];
  w.target = best;
  return {best->queue.front(), true};
}

look pool::steal_round(worker& w) {
  switch (options_.by) {
    case policy::random:
      return sched::rules::from_anyone(w, *this);
    case policy::adws:
      return sched::rules::from_range(w, *this);
    case policy::custom:
      return custom_round(w);
    case policy::near:
    case policy::numa:
      break;
  }
  return sched::rules::from_levels(w, *this, 0, w.levels_of_node);
}

void pool::look_for_work(worker& w) {
  if (!w.idle) w.idle_since = now_;
  if (item* i = own(w)) return start(w, i, 0);
  w.search_time = 0;
  w.target = nullptr;
  look l;
  if (frames_ != 0) l = steal_round(w);
  if (l.found == nullptr && letters_ != 0 && now_ - w.idle_since >= costs_.patience) {
    part_of(w);
    if (item* i = take_far_letter(w)) return start(w, i, w.search_time + costs_.letter);
  }
  const bool by_levels = options_.by == policy::near || options_.by == policy::numa;
  if (l.found == nullptr && frames_ != 0 && by_levels)
    l = sched::rules::from_levels(w, *this, w.levels_of_node, w.victims.size());
  if (l.found == nullptr) return idle_now(w);
  if (w.idle) idle_.erase(w.index);
  w.idle = false;
  schedule(w, step::arrive, w.search_time);
}

void pool::arrive(worker& w) {
  worker& v = *std::exchange(w.target, nullptr);
  if (v.queue.empty() || !may_take(w, v)) return look_for_work(w);
  --frames_;
  (v.node == w.node ? w.stats.steals_near : w.stats.steals_far).add();
  task* const found = v.queue.front();
  v.queue.pop_front();
  if (!v.queue.empty()) offer(v);  // the worker that has found something calls the next
  start(w, found, 0);
}

/// Runs it, `after` ns from now.
void pool::start(worker& w, item* i, double after) {
  if (w.idle) idle_.erase(w.index);
  w.idle = false;
  w.look_again = 0;
  if (i->thread) {
    auto* const f = static_cast<fiber*>(i);
    resume(w, f);
    if (w.on == nullptr) schedule(w, step::look, 0);
    return;
  }
  w.stats.tasks.add();
  auto* const t = static_cast<task*>(i);
  w.on = new fiber;
  w.on->begun_for = t;
  sched::rules::wear_range(w, std::exchange(w.next_range, nullptr));
  if (t->range.end == 0)
    call_inline(w, t->node);
  else
    call_range(w, t->node, t->range, 0);
  schedule(w, step::advance, after);
}

/// It looks again when it may open what others were sent, and ever more rarely then.
void pool::idle_now(worker& w) {
  if (!w.idle) {
    w.idle = true;
    idle_.insert(w.index);
    w.look_again = 0;
  }
  w.look_again = std::max(2 * w.look_again, costs_.patience);
  schedule(w, step::look, w.look_again);
}

/// An idle worker looks: at once while it spins, when it has been woken else.
void pool::call_to(worker& w) {
  if (!w.idle) return;
  const bool asleep = now_ - w.idle_since > costs_.spin;
  idle_.erase(w.index);
  w.idle = false;
  schedule(w, step::look, asleep ? costs_.wake : 0);
}

/// `by` has something for others: one that may take it, near it where the policy says so.
void pool::offer(worker& by) {
  if (idle_.size() == 0) return;
  const auto find = [&](int low, int high) {
    const int start = low + static_cast<int>(by.next_random() % static_cast<unsigned>(high - low));
    return idle_.find(low, high, start, [&](int i) { return may_take(*at(i), by); });
  };
  int chosen = -1;
  if (options_.by == policy::near || options_.by == policy::numa) {
    const auto [low, high] = cells_of_node_[static_cast<std::size_t>(by.node)];
    chosen = find(low, high);
  }
  if (options_.by == policy::adws && by.fork != nullptr)
    chosen = find(by.fork->range.first_worker(), by.fork->range.last_worker() + 1);
  else if (chosen < 0)
    chosen = find(0, workers());
  if (chosen >= 0) call_to(*at(chosen));
}

void pool::post_to_worker(int to, const sched::letter& l) {
  worker& w = *at(to);
  ++letters_;
  w.stats.letters.add();
  w.box.put(l);
  if (w.idle) return call_to(w);
  if (l.range == nullptr || idle_.size() == 0) return;
  const sched::interval in = l.range->in;
  const int helper =
      idle_.find(in.first_worker(), in.last_worker() + 1, in.first_worker(),
                 [&](int i) { return sched::rules::may_open_wide(*at(i), *l.range); });
  if (helper >= 0) call_to(*at(helper));
}

void pool::post_to_node(int node, const sched::letter& l) {
  ++letters_;
  workers_.front().stats.letters.add();
  node_boxes_[static_cast<std::size_t>(node)].put(l);
  const auto [low, high] = cells_of_node_[static_cast<std::size_t>(node)];
  const int sleeper = idle_.first(low, high);
  if (sleeper >= 0) call_to(*at(sleeper));
}

}  // namespace kasuri::simulate
