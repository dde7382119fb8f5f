// SPDX-License-Identifier: Apache-2.0
#pragma once

// Workers without threads. Names that the templates of src/sched ask for (home, cell, fork, range,
// queue.hold, stats ...) are those of sched::worker.

#include <atomic>
#include <cstdint>
#include <deque>
#include <vector>

#include "kasuri/detail/frame.hpp"
#include "sched/kernel/mailbox.hpp"
#include "sched/kernel/random.hpp"
#include "sched/rules/extent.hpp"
#include "simulate/graph.hpp"

namespace kasuri::simulate {

class pool;
struct fiber;

/// An entry of a deque or a mailbox: a task that nobody has begun, or a thread that may go on.
struct item : detail::frame {
  explicit item(bool is_thread) : thread(is_thread) {}
  const bool thread;
};

/// Iterations of a loop: how far detail::lazy_loop is with them.
struct loop_range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;  // 0: it is no part of a loop
  std::uint32_t chunk = 1;
  std::uint32_t largest = 0;  // chunk
  int offers = 0;             // halves that it gives away without being asked
};

/// The second side of a fork (of a fork that was sent elsewhere altogether: a side), or the far
/// half of a loop's range.
struct task : item {
  explicit task(std::uint32_t of) : item(false), node(of) {}
  std::uint32_t node;
  loop_range range = {};
  fiber* waiter = nullptr;
  bool done = false;
};

enum class stage : std::uint8_t {
  enter,
  worked,
  join_first,
  join,
  closing,
  after,
  // of a part of a loop
  offer,
  chunk,
  chunk_ran,
  join_far,
  range_ended
};

/// A call on a stack: a node of the graph and how far it is.
struct call {
  std::uint32_t node;
  stage at = stage::enter;
  task* sent = nullptr;  // the first side, where it was sent to its data
  task* second = nullptr;
  sched::routed_fork* routed = nullptr;  // to be closed
  sched::extent* taken_back = nullptr;   // the range that its second side wore here
  loop_range range = {};
  std::uint32_t learned =
      0;            // the chunk that the near half ended with; 0: the far half begins anew
  double late = 0;  // ns, of forks before its first chunk
};

/// A stack.
struct fiber : item {
  fiber() : item(true) {}
  std::vector<call> calls;
  task* begun_for = nullptr;       // null: the program itself
  sched::extent* range = nullptr;  // while it is suspended
  int home = -1;                   // the one worker that may resume it, or -1
  int place = -1;                  // where it had better go on, or -1
};

struct counter {
  std::uint64_t value = 0;
  void add(std::uint64_t n = 1) noexcept { value += n; }
};

struct held_deque : std::deque<task*> {
  void hold(bool on) noexcept { held = on; }
  bool held = false;
};

enum class step : std::uint8_t { none, advance, look, arrive };

struct worker {
  worker(pool& p, int i, std::uint64_t seed)
      : home(&p), index(i), cell(i), random(sched::first_random(seed, i)) {}

  pool* const home;
  const int index;
  const int cell;
  int node = 0;
  std::vector<std::vector<int>> victims;
  std::size_t levels_of_node = 0;

  held_deque queue;
  sched::mailbox box;
  sched::extent root;
  sched::extent* range = nullptr;
  sched::extent* next_range = nullptr;
  sched::span_fork* fork = nullptr;
  std::atomic<int> fork_depth{0};

  fiber* on = nullptr;
  fiber* returning = nullptr;
  double search_time = 0;  // of the round that it is in
  worker* target = nullptr;
  step next_step = step::none;
  std::uint32_t ticket = 0;  // of its event; others are void
  bool idle = false;
  double idle_since = 0;
  double look_again = 0;  // ns, how long it waits at most

  struct {
    counter routed, widened, tasks, steals_near, steals_far, probes, suspends, letters;
    double busy = 0;  // ns
  } stats;

  /// As sched::worker's.
  std::uint64_t next_random() noexcept { return sched::xorshift(random); }

 private:
  std::uint64_t random;
};

/// The outcome of a round over victims, whose deques it only looked at.
struct look {
  const item* found = nullptr;
  bool saw_work = false;
};

look take_from(worker& thief, worker& victim) noexcept;
sched::span_fork* part_of(worker& w) noexcept;

}  // namespace kasuri::simulate
