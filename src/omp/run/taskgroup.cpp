// SPDX-License-Identifier: Apache-2.0
#include "omp/run/taskgroup.hpp"

#include <new>
#include <utility>

#include "omp/run/task_reduction.hpp"
#include "omp/run/tasks.hpp"
#include "omp/tool/hooks.hpp"
#include "platform/base/fatal.hpp"
#include "platform/base/race_detector.hpp"
#include "sched/worker/block_cache.hpp"

namespace kasuri::omp {
namespace {

constexpr std::int64_t credits_at_once = 32;

}  // namespace

taskgroup& begin_taskgroup(member& m) noexcept {
  void* const memory = sched::allocate_record(sizeof(taskgroup));
  if (memory == nullptr) platform::fatal("no memory for an OpenMP taskgroup");
  auto& g = *new (memory) taskgroup;
  g.outer = m.current->group;
  g.owner = &m;
  if (g.outer != nullptr) g.gcc_reductions = g.outer->gcc_reductions;
  m.current->group = &g;
  if (tool::active()) [[unlikely]]
    tool::begin_group(m);
  return g;
}

void end_taskgroup(member& m) noexcept {
  taskgroup* const g = m.current->group;
  if (g == nullptr) return;
  const tool::sync_region seen(m, tool::sync_kind::taskgroup, false);
  run_own_tasks(m, [g] { return g->done(); });
  wait_until(m, g, [g] { return g->done(); }, may_run::descendants);
  platform::happens_after(g);
  finish_reductions(m, *g);
  m.current->group = g->outer;
  sched::free_record(g, sizeof(taskgroup));
}

bool cancel_taskgroup(member& m) noexcept {
  taskgroup* g = m.current->group;
  while (g != nullptr && g->workshare) g = g->outer;
  if (g == nullptr) return false;
  g->cancelled.store(true, std::memory_order_relaxed);
  return true;
}

void count_created_in(taskgroup& g, member& m) noexcept {
  if (g.owner == &m) {
    g.tasks.start_here();
    return;
  }
  if (!g.counted) return;
  task_queue& q = m.tasks;
  if (q.group != &g) give_back_credits(m);
  if (q.credits == 0) {
    // The running task, which is in the group or waited for by one that is, keeps it from ending.
    g.tasks.start_elsewhere(credits_at_once);
    q.group = &g;
    q.credits = credits_at_once;
  }
  --q.credits;
}

void count_ended_in(taskgroup& g, member& m) noexcept {
  if (g.owner == &m) {
    g.tasks.end_here();
    return;
  }
  if (!g.counted) return;
  task_queue& q = m.tasks;
  if (q.group != &g) give_back_credits(m);
  q.group = &g;
  ++q.credits;
}

void give_back_credits(member& m) noexcept {
  task_queue& q = m.tasks;
  taskgroup* const g = std::exchange(q.group, nullptr);
  if (g == nullptr) return;
  const std::int64_t n = std::exchange(q.credits, 0);
  if (n == 0) return;
  platform::happens_before(g);
  bool last;  // does not matter: the owner does not give the count up
  // Behind the change the group may be gone.
  notify(g, g->tasks.end_elsewhere_by<sched::in_order>(n, last));
}

}  // namespace kasuri::omp
