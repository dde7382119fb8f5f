// SPDX-License-Identifier: Apache-2.0
#include "omp/run/task_send.hpp"

#include "omp/env/environment.hpp"
#include "omp/place/nodes.hpp"
#include "omp/run/tasks.hpp"
#include "omp/task/task_where.hpp"
#include "omp/team/helper.hpp"
#include "omp/wait/parking.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {
namespace {

/// The list that the task belongs into; null: none but the deque of m.
node_tasks* list_for(task_mail& mail, member& m, explicit_task& t) noexcept {
  if (t.where < 0) t.where = static_cast<std::int8_t>(inherited_where(t));
  if (t.where < 0 || t.priority != 0) return nullptr;
  if (t.where == m.tasks.node.load(std::memory_order_relaxed)) return nullptr;
  node_tasks& list = mail.at(t.where);
  return list.members.load(std::memory_order_relaxed) > 0 ? &list : nullptr;
}

bool unpark(member& m) noexcept {
  // relaxed: after the fence in wake_for()
  const void* const key = m.tasks.waits_on.load(std::memory_order_relaxed);
  return key != nullptr && omp::unpark(key, m);
}

/// Wakes members of the node that are suspended: one that may run anything, or all others, which
/// may find that they may not run the task. False: there was none.
bool wake_on(team& t, int node) noexcept {
  bool woken = false;
  for (const bool free : {true, false}) {
    for (int i = 0; i != t.size; ++i) {
      member& m = *t.members[i];
      if (m.tasks.node.load(std::memory_order_relaxed) != node) continue;
      // relaxed: after the fence in wake_for()
      if ((m.tasks.waits_on.load(std::memory_order_relaxed) == &t) != free) continue;
      woken = unpark(m) || woken;
      if (woken && free) return true;
    }
    if (free && send_for_helper(t, node)) return true;
  }
  return woken;
}

/// `wanted` falls before the members are looked at, so that one that comes to want is not
/// overlooked, and stays up while there may be others.
void wake_for(team& t, int node) noexcept {
  const int nodes = t.mail->nodes();
  for (int n = 0; n != nodes; ++n) {
    const int at_node = (node + n) % nodes;
    std::atomic<bool>& wanted = t.mail->at(at_node).wanted;
    // relaxed: after the fence in deliver()
    if (!wanted.load(std::memory_order_relaxed)) continue;
    wanted.store(false, std::memory_order_relaxed);  // relaxed: before the fence below
    detail::real_atomics::fence_full();              // pairs with the fence behind want_notice
    if (!wake_on(t, at_node)) continue;
    wanted.store(true, std::memory_order_relaxed);  // relaxed: a hint for the next that sends
    return;
  }
}

void deliver(team& in, int node, explicit_task& t) noexcept {
  in.mail->put(node, t);
  const node_tasks& list = in.mail->at(node);
  KASURI_EXPECT(cheap, in.has_tasks.load(std::memory_order_relaxed),
                "a task for node %d in a team of %d whose region has none", node, in.size);
  detail::real_atomics::fence_full();  // pairs with the fences behind want_notice
  // relaxed: after the fence above
  if (list.wanted.load(std::memory_order_relaxed) || list.has_backlog()) wake_for(in, node);
}

}  // namespace

bool would_send(member& m, explicit_task& t) noexcept {
  const node_tasks* const list = list_for(*m.in->mail, m, t);
  if (list == nullptr) return false;
  const auto members = static_cast<std::size_t>(list->members.load(std::memory_order_relaxed));
  return list->size() < crowd * members || !environment().task_throttling;
}

bool send(member& m, explicit_task& t) noexcept {
  KASURI_EXPECT(cheap, t.counted, "a task at depth %u is sent and was not counted", t.depth);
  node_tasks* const list = list_for(*m.in->mail, m, t);
  if (list == nullptr) return false;
  const int node = t.where;  // behind put() the task may be gone
  team& in = *m.in;
  if (!in.has_tasks.load(std::memory_order_relaxed)) expect_tasks(in);
  if (sched::worker* w = sched::current()) w->stats.posted.add();
  deliver(in, node, t);
  return true;
}

bool give_back(team& in, explicit_task& t) noexcept {
  if (t.where < 0 || in.mail->at(t.where).members.load(std::memory_order_relaxed) <= 0)
    return false;
  deliver(in, t.where, t);
  return true;
}

void find_where(member& m, explicit_task& t, std::span<const dependence> on) noexcept {
  if (m.in->mail == nullptr || t.where >= 0) return;
  t.where = as_where(where_of(t, on, node_that_holds));
  KASURI_EXPECT(cheap, t.where >= -1 && t.where < m.in->mail->nodes(), "node %d of %d", t.where,
                m.in->mail->nodes());
}

void heed_affinity(member& m, explicit_task& t, std::span<const void* const> addresses) noexcept {
  if (m.in->mail == nullptr) return;
  t.where = as_where(node_of_most(addresses, node_that_holds));
  KASURI_EXPECT(cheap, t.where >= -1 && t.where < m.in->mail->nodes(), "node %d of %d", t.where,
                m.in->mail->nodes());
}

void count_where(const member& m, const explicit_task& t) noexcept {
  sched::worker* const w = sched::current();
  if (w == nullptr) return;
  const bool kept = t.where == m.tasks.node.load(std::memory_order_relaxed);
  (kept ? w->stats.where_kept : w->stats.where_missed).add();
}

}  // namespace kasuri::omp
