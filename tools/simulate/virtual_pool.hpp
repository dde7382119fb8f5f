// SPDX-License-Identifier: Apache-2.0
#pragma once

// A discrete event simulation of a pool.
//
// The policies' decisions are the runtime's own code (sched/rules/interval.hpp, search_rules.hpp,
// routing_rules.hpp, mailbox.hpp, platform::victim_order). Only the parts that take time are
// written anew here: work, forks, joins, looking, sleeping.
//
// A worker has at most one event ahead. It works (advance), looks for work (look), or is on its way
// to the victim that its last round has found (arrive); there it takes what the victim has by then.
// A worker that found nothing is idle and has no events but a look ever more rarely; a worker that
// makes work visible calls one idle worker that may take it. So nothing waits for ever.

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "platform/cpu/topology.hpp"
#include "simulate/cost_model.hpp"
#include "simulate/graph.hpp"
#include "simulate/idle_set.hpp"
#include "simulate/virtual_worker.hpp"

namespace kasuri::simulate {

enum class policy { near, random, adws, numa, custom };
enum class data { first_touch, blocked, one_node };

struct run_options {
  policy by = policy::near;
  data lies = data::first_touch;
  int workers = 0;
  int sweeps = 10;
  std::uint64_t seed = 1;
};

struct run_result {
  double time = 0;          // ns, all sweeps
  double busy = 0;          // ns, of all workers, in tasks
  std::uint64_t nodes = 0;  // steps of tasks that ran
  std::uint64_t twice = 0;  // of these, such as had run in the same sweep
  std::uint64_t tasks = 0, steals_near = 0, steals_far = 0, probes = 0, routed = 0, sent = 0;
  std::uint64_t events = 0;
  // Blocks from the second sweep on; where they met the worker of the sweep before, or its node.
  std::uint64_t revisits = 0, same_worker = 0, same_node = 0;
  std::uint64_t accesses = 0, remote = 0;
  std::vector<double> sweep_ends;  // ns
  std::vector<int> last_worker;    // per block, after the last sweep
};

class pool {
 public:
  pool(const graph& g, const platform::topology& machine, const cost_model& costs,
       const run_options& o);
  ~pool();
  run_result run();

  // ---- what the rules ask ----------------------------------------------------------------------
  int workers() const noexcept { return static_cast<int>(workers_.size()); }
  worker* at(int i) noexcept { return &workers_[static_cast<std::size_t>(i)]; }
  int on_line(int cell) const noexcept { return cell; }
  int on_line(int cell, int first) const noexcept { return cell == 0 ? first : cell; }
  bool lends() const noexcept { return false; }
  void post_to_worker(int to, const sched::letter& l);
  const cost_model& costs() const noexcept { return costs_; }
  distance between(const worker& a, const worker& b) const noexcept;

 private:
  struct event {
    double time;
    std::uint64_t order;
    int who;
    std::uint32_t ticket;
    bool operator>(const event& o) const noexcept {
      return time != o.time ? time > o.time : order > o.order;
    }
  };

  void place_workers();
  void schedule(worker& w, step s, double after);

  // tasks (virtual_tasks.cpp)
  void begin_sweep();
  void advance(worker& w);
  double cost_of(worker& w, std::uint32_t node);
  double access(worker& w, std::int32_t block);
  void fork(worker& w);
  bool fork_to_data(worker& w, std::size_t at, const graph_node& n);
  bool join(worker& w, task* t);
  bool join_second(worker& w);
  void close(worker& w);
  bool leave_step(worker& w);
  void end_task(worker& w);
  void suspend(worker& w);
  void resume(worker& w, fiber* f);
  void call_inline(worker& w, std::uint32_t node);
  int node_of_block(std::int32_t block) const noexcept;
  int node_of_data(const graph_node& n) const noexcept;

  // loops (virtual_loops.cpp)
  void begin_loop(worker& w);
  bool advance_loop(worker& w);
  void call_range(worker& w, std::uint32_t node, const loop_range& range, double late);
  void divide(worker& w, const loop_range& near, const loop_range& far);
  void run_chunk(worker& w);
  void end_chunk(worker& w);
  bool join_far(worker& w);
  void end_range(worker& w);

  // looking (virtual_search.cpp)
  void look_for_work(worker& w);
  item* own(worker& w);
  item* open(worker& w, const sched::letter& l);
  item* take_far_letter(worker& w);
  look steal_round(worker& w);
  look custom_round(worker& w);
  void arrive(worker& w);
  void start(worker& w, item* i, double after);
  void idle_now(worker& w);
  void call_to(worker& w);
  void offer(worker& by);
  void post_to_node(int node, const sched::letter& l);
  bool may_take(worker& thief, worker& victim);
  bool may_open(const worker& thief, const worker& victim) const;

  const graph& graph_;
  const platform::topology& machine_;
  const cost_model costs_;
  const run_options options_;
  std::deque<worker> workers_;
  std::deque<sched::mailbox> node_boxes_;
  std::vector<std::pair<int, int>> cells_of_node_;
  std::vector<int> nodes_;  // the kernel's numbers, ascending
  idle_set idle_;
  std::priority_queue<event, std::vector<event>, std::greater<>> events_;
  std::uint64_t scheduled_ = 0;
  std::uint64_t letters_ = 0;  // in mailboxes
  std::uint64_t frames_ = 0;   // in deques
  double now_ = 0;
  int sweep_ = 0;
  bool over_ = false;
  std::vector<int> block_worker_, block_home_, node_worker_, node_sweep_;
  run_result result_;
};

}  // namespace kasuri::simulate
