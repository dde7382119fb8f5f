// SPDX-License-Identifier: Apache-2.0
#include "omp/run/taskgroup.hpp"

#include <new>
#include <utility>

#include "omp/run/task_reduction.hpp"
#include "omp/run/tasks.hpp"
#include "omp/tool/hooks.hpp"
#include "platform/base/expect.hpp"
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
  KASURI_EXPECT(cheap, g->owner == &m, "member %d ends a group of member %d", m.number,
                g->owner != nullptr ? g->owner->number : -1);
  const tool::sync_region seen(m, tool::sync_kind::taskgroup, false);
  run_own_tasks(m, [g] { return g->done(); });
  wait_until(m, g, [g] { return g->done(); }, may_run::descendants);
  platform::happens_after(g);
  finish_reductions(m, *g);
  KASURI_EXPECT(cheap, m.current->group == g && m.current->executor == &m,
                "member %d is in group %p and ends %p", m.number,
                static_cast<void*>(m.current->group), static_cast<void*>(g));
  KASURI_EXPECT(cheap, g->done() && g->clang_reductions == nullptr,
                "a group ends with %ld tasks and the reductions %p", g->tasks.left(),
                static_cast<void*>(g->clang_reductions));
  KASURI_EXPECT(cheap, m.tasks.group != g, "member %d has %ld credits at its own group", m.number,
                m.tasks.credits);
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
  KASURI_EXPECT(cheap, q.group == &g && q.credits > 0, "%ld credits at group %p, and a task of %p",
                q.credits, static_cast<void*>(q.group), static_cast<void*>(&g));
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
  KASURI_EXPECT(cheap, q.group == &g || (q.group == nullptr && q.credits == 0),
                "%ld credits at group %p, and an end in %p", q.credits, static_cast<void*>(q.group),
                static_cast<void*>(&g));
  q.group = &g;
  ++q.credits;
}

void give_back_credits(member& m) noexcept {
  task_queue& q = m.tasks;
  taskgroup* const g = std::exchange(q.group, nullptr);
  KASURI_EXPECT(cheap, q.credits >= 0 && (g != nullptr || q.credits == 0),
                "%ld credits at group %p", q.credits, static_cast<void*>(g));
  if (g == nullptr) return;
  KASURI_EXPECT(cheap, g->counted && g->owner != &m, "member %d has %ld credits at its own group",
                m.number, q.credits);
  if (tool::active()) [[unlikely]]
    tool::pay_group(m);
  const std::int64_t n = std::exchange(q.credits, 0);
  if (n == 0) return;
  platform::happens_before(g);
  bool last;  // does not matter: the owner does not give the count up
  // Behind the change the group may be gone.
  notify(g, g->tasks.end_elsewhere_by<sched::in_order>(n, last));
}

}  // namespace kasuri::omp
