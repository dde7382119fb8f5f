// SPDX-License-Identifier: Apache-2.0
// A worker runs a task: a walk over its steps.
#include <algorithm>
#include <utility>

#include "sched/rules/routing_rules.hpp"
#include "simulate/virtual_pool.hpp"

namespace kasuri::simulate {

void pool::begin_sweep() {
  worker& w = workers_.front();
  call_inline(w, graph_.root());
  schedule(w, step::advance, 0);
}

void pool::call_inline(worker& w, std::uint32_t node) { w.on->calls.push_back({.node = node}); }

int pool::node_of_block(std::int32_t block) const noexcept {
  const auto nodes = static_cast<std::int64_t>(nodes_.size());
  return static_cast<int>(block * nodes / graph_.blocks());
}

/// The node that holds all blocks below, or -1.
int pool::node_of_data(const graph_node& n) const noexcept {
  if (n.low > n.high) return -1;
  const int node = block_home_[static_cast<std::size_t>(n.low)];
  if (block_home_[static_cast<std::size_t>(n.high)] != node) return -1;
  for (std::int32_t b = n.low; b <= n.high; ++b)
    if (block_home_[static_cast<std::size_t>(b)] != node) return -1;
  return node;
}

/// Time to reach the block, and where it was before.
double pool::access(worker& w, std::int32_t block) {
  const auto b = static_cast<std::size_t>(block);
  const int before = std::exchange(block_worker_[b], w.index);
  if (block_home_[b] < 0) block_home_[b] = w.node;
  const bool away = block_home_[b] != w.node;
  if (sweep_ != 0 && before >= 0) {
    ++result_.revisits;
    result_.same_worker += before == w.index ? 1 : 0;
    result_.same_node += at(before)->node == w.node ? 1 : 0;
  }
  ++result_.accesses;
  result_.remote += away ? 1 : 0;
  if (before == w.index) return costs_.kept;
  return away ? costs_.remote : costs_.local;
}

double pool::cost_of(worker& w, std::uint32_t node) {
  const graph_node& n = graph_.at(node);
  double cost = n.work + (n.block >= 0 ? access(w, n.block) : 0);
  ++result_.nodes;
  result_.twice += std::exchange(node_sweep_[node], sweep_) == sweep_ ? 1 : 0;
  node_worker_[node] = w.index;
  w.stats.busy += cost;
  if (n.first != no_node) cost += costs_.spawn + (w.queue.held ? costs_.route : 0);
  return cost;
}

void pool::advance(worker& w) {
  for (;;) {
    call& c = w.on->calls.back();
    switch (c.at) {
      case stage::enter: {
        c.at = stage::worked;
        const double cost = cost_of(w, c.node);
        if (cost > 0) return schedule(w, step::advance, cost);
        break;
      }
      case stage::worked:
        c.at = graph_.at(c.node).first == no_node ? stage::after : stage::join;
        if (c.at == stage::join)
          fork(w);
        else if (graph_.at(c.node).is_loop())
          begin_loop(w);
        break;
      case stage::join_first:
        c.at = stage::join;
        if (!join(w, c.sent)) return;
        break;
      case stage::join:
        c.at = stage::closing;
        if (!join_second(w)) return;
        break;
      case stage::closing:
        close(w);
        break;
      case stage::after:
        if (!leave_step(w)) return;
        break;
      default:
        if (!advance_loop(w)) return;
        break;
    }
  }
}

/// The second side becomes a task, the first is called.
void pool::fork(worker& w) {
  const std::size_t at = w.on->calls.size() - 1;
  call& c = w.on->calls[at];
  const graph_node& n = graph_.at(c.node);
  if (options_.by == policy::numa && fork_to_data(w, at, n)) return;
  c.second = new task(n.second);
  const bool spans = w.range != nullptr && w.range->in.spans();
  if (!spans || !sched::rules::route_fork(w, c.second, {n.first_share, n.second_share})) {
    w.queue.push_back(c.second);
    ++frames_;
    offer(w);
  }
  call_inline(w, n.first);
}

/// As parallel_invoke of closures with a place: what lies on another node is sent there.
bool pool::fork_to_data(worker& w, std::size_t at, const graph_node& n) {
  const auto elsewhere_for = [&](std::uint32_t side) {
    const int node = node_of_data(graph_.at(side));
    return node == w.node ? -1 : node;
  };
  const int first = elsewhere_for(n.first);
  const int second = elsewhere_for(n.second);
  if (first < 0 && second < 0) return false;
  call& c = w.on->calls[at];
  const auto send = [&](std::uint32_t side, int node) {
    auto* t = new task(side);
    post_to_node(node, {.what = t, .node = node});
    return t;
  };
  // The one that stays here is called; the other is joined as the second.
  if (second < 0) {
    c.second = send(n.first, first);
    call_inline(w, n.second);
    return true;
  }
  c.second = send(n.second, second);
  if (first < 0) {
    call_inline(w, n.first);
  } else {
    c.at = stage::join_first;
    c.sent = send(n.first, first);
  }
  return true;
}

/// Whether it has ended; else the caller's stack is left to it.
bool pool::join(worker& w, task* t) {
  if (t->done) {
    delete t;
    return true;
  }
  t->waiter = w.on;
  suspend(w);
  return false;
}

/// As take_back_or_wait and join_routed. False: the worker has left the stack.
bool pool::join_second(worker& w) {
  call& c = w.on->calls.back();
  task* const t = std::exchange(c.second, nullptr);
  if (sched::rules::was_routed(w, t)) {
    c.routed = w.range->by;
    sched::letter mine;
    if (c.routed->to == w.index && w.box.take(mine, t)) {
      --letters_;
      sched::rules::release(mine.fork);
      sched::rules::wear_range(w, mine.range);
      c.taken_back = mine.range;
      call_inline(w, t->node);
      delete t;
      return true;
    }
  } else if (!w.queue.empty() && w.queue.back() == t) {
    w.queue.pop_back();
    --frames_;
    call_inline(w, t->node);
    delete t;
    return true;
  }
  return join(w, t);
}

void pool::close(worker& w) {
  call& c = w.on->calls.back();
  c.at = stage::after;
  sched::routed_fork* const r = std::exchange(c.routed, nullptr);
  delete std::exchange(c.taken_back, nullptr);
  if (r == nullptr) return;
  const int first = r->fork->range.first_worker();
  const int last = r->fork->range.last_worker();
  sched::rules::close_fork(w, r);
  // Workers that looked within the fork may look further now.
  if (frames_ + letters_ == 0) return;
  for (int i = idle_.first(first, last + 1); i >= 0; i = idle_.first(i + 1, last + 1))
    call_to(*at(i));
}

/// To the next step or back to the caller. False: the worker has nothing to go on with at once.
bool pool::leave_step(worker& w) {
  std::vector<call>& calls = w.on->calls;
  const call& ended = calls.back();
  const std::uint32_t next = ended.range.end != 0 ? no_node : graph_.at(ended.node).next;
  calls.pop_back();
  if (next != no_node) {
    calls.push_back({.node = next});
    return true;
  }
  if (!calls.empty()) return true;
  end_task(w);
  return false;
}

void pool::end_task(worker& w) {
  fiber* const f = w.on;
  if (f->begun_for == nullptr) {  // the program: a sweep is over
    result_.sweep_ends.push_back(now_);
    over_ = ++sweep_ == options_.sweeps;
    if (!over_) begin_sweep();
    return;
  }
  task* const t = f->begun_for;
  delete f;
  w.on = nullptr;
  delete w.range;
  sched::rules::wear_range<worker>(w, nullptr);
  fiber* const waiter = t->waiter;
  if (waiter == nullptr) {
    t->done = true;
  } else {
    delete t;
    resume(w, waiter);
  }
  if (w.on == nullptr) schedule(w, step::look, 0);
}

/// As state_of_task and prepare_suspension.
void pool::suspend(worker& w) {
  w.stats.suspends.add();
  fiber* const f = std::exchange(w.on, nullptr);
  f->range = w.range;
  f->place = w.range == nullptr ? -1 : sched::rules::owner_of(*this, *w.range);
  sched::rules::wear_range<worker>(w, nullptr);
  schedule(w, step::look, 0);
}

/// As sched::resume: here, on its home, or where it had better go on.
void pool::resume(worker& w, fiber* f) {
  if (f->home >= 0 && f->home != w.index) {
    worker& home = *at(f->home);
    home.returning = f;
    if (home.idle) call_to(home);
    return;
  }
  if (f->place >= 0 && f->place != w.index) return post_to_worker(f->place, {.what = f});
  w.on = f;
  sched::rules::wear_range(w, f->range);
  schedule(w, step::advance, costs_.resume);
}

}  // namespace kasuri::simulate
