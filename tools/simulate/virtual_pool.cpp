// SPDX-License-Identifier: Apache-2.0
#include "simulate/virtual_pool.hpp"

#include <algorithm>

#include "sched/rules/routing_rules.hpp"

namespace kasuri::simulate {

sched::span_fork* part_of(worker& w) noexcept { return sched::rules::part_of(w); }

pool::pool(const graph& g, const platform::topology& machine, const cost_model& costs,
           const run_options& o)
    : graph_(g),
      machine_(machine),
      costs_(costs),
      options_(o),
      idle_(o.workers),
      block_worker_(static_cast<std::size_t>(g.blocks()), -1),
      block_home_(static_cast<std::size_t>(g.blocks()), -1),
      node_worker_(g.size(), -1),
      node_sweep_(g.size(), -1) {
  place_workers();
  if (o.lies == data::first_touch) return;
  for (std::int32_t b = 0; b != g.blocks(); ++b)
    block_home_[static_cast<std::size_t>(b)] = o.lies == data::one_node ? 0 : node_of_block(b);
}

pool::~pool() {
  for (worker& w : workers_) sched::rules::take_part<worker>(w, nullptr);
}

/// As sched::pool::place.
void pool::place_workers() {
  const int count = options_.workers;
  const auto os_node = [&](int i) { return platform::pu_of_worker(machine_, i).numa_node; };
  for (int i = 0; i != count; ++i) nodes_.push_back(os_node(i));
  std::ranges::sort(nodes_);
  nodes_.erase(std::ranges::unique(nodes_).begin(), nodes_.end());
  cells_of_node_.assign(nodes_.size(), {count, 0});
  for (std::size_t i = 0; i != nodes_.size(); ++i) node_boxes_.emplace_back();
  for (int i = 0; i != count; ++i) {
    worker& w = workers_.emplace_back(*this, i, options_.seed);
    w.node = static_cast<int>(std::ranges::lower_bound(nodes_, os_node(i)) - nodes_.begin());
    auto& [low, high] = cells_of_node_[static_cast<std::size_t>(w.node)];
    low = std::min(low, i);
    high = std::max(high, i + 1);
  }
  if (options_.by != policy::near && options_.by != policy::numa) return;
  for (worker& w : workers_) {
    w.victims = platform::victim_order(machine_, w.cell, count);
    const auto on_node = [&](int i) { return at(i)->node == w.node; };
    while (w.levels_of_node != w.victims.size() &&
           std::ranges::all_of(w.victims[w.levels_of_node], on_node))
      ++w.levels_of_node;
  }
}

distance pool::between(const worker& a, const worker& b) const noexcept {
  const auto close = platform::closeness_of(platform::pu_of_worker(machine_, a.cell),
                                            platform::pu_of_worker(machine_, b.cell));
  if (close <= platform::closeness::same_l3) return shares_cache;
  if (costs_.has_ranks && close == platform::closeness::same_machine) return other_rank;
  return close == platform::closeness::same_numa_node ? shares_node : elsewhere;
}

void pool::schedule(worker& w, step s, double after) {
  w.next_step = s;
  events_.push({now_ + after, scheduled_++, w.index, ++w.ticket});
}

run_result pool::run() {
  worker& first = workers_.front();
  if (options_.by == policy::adws && workers() > 1) {  // as sched::begin_root
    first.root = {.in = sched::interval::of_workers(0, workers()), .root_worker = 0};
    sched::rules::wear_range(first, &first.root);
  }
  first.on = new fiber;
  first.on->home = 0;
  for (worker& w : workers_)
    if (&w != &first) idle_now(w);
  begin_sweep();
  while (!over_) {
    const event e = events_.top();
    events_.pop();
    worker& w = *at(e.who);
    if (e.ticket != w.ticket) continue;
    ++result_.events;
    now_ = e.time;
    switch (w.next_step) {
      case step::advance:
        advance(w);
        break;
      case step::look:
        look_for_work(w);
        break;
      case step::arrive:
        arrive(w);
        break;
      case step::none:
        break;
    }
  }
  delete first.on;
  first.on = nullptr;
  result_.time = now_;
  for (const worker& w : workers_) {
    result_.busy += w.stats.busy;
    result_.tasks += w.stats.tasks.value;
    result_.steals_near += w.stats.steals_near.value;
    result_.steals_far += w.stats.steals_far.value;
    result_.probes += w.stats.probes.value;
    result_.routed += w.stats.routed.value;
    result_.sent += w.stats.letters.value;
  }
  result_.last_worker = block_worker_;
  return result_;
}

}  // namespace kasuri::simulate
