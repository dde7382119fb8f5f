// SPDX-License-Identifier: Apache-2.0
#include "omp/run/depend.hpp"

#include <algorithm>
#include <new>

#include "omp/run/task_send.hpp"
#include "omp/run/tasks.hpp"
#include "omp/task/dependence_table.hpp"
#include "omp/tool/hooks.hpp"
#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::omp {
namespace {

dependence_table& table_of(task& t) noexcept {
  if (t.dependences == nullptr) {
    t.dependences = new (std::nothrow) dependence_table;
    if (t.dependences == nullptr) platform::fatal("no memory for the dependences of OpenMP tasks");
  }
  return *t.dependences;
}

/// The node keeps what the tool has of its task, which may go before it.
void see(dependence_node& n, tool::task_info* info) noexcept {
  if (info == nullptr) return;
  info->users.fetch_add(1, std::memory_order_relaxed);
  n.seen = info;
}

bool is_exclusive(const dependence& d) noexcept { return d.kind == dependence_kind::mutexinoutset; }

/// Whether exclusions would be taken in an order of the task's own.
bool needs_order(std::span<const dependence> on) noexcept {
  return std::count_if(on.begin(), on.end(), is_exclusive) > 1;
}

void enter_each(dependence_table& table, dependence_node& n,
                std::span<const dependence> on) noexcept {
  std::uint16_t slot = 0;
  for (const dependence& d : on) {
    if (d.kind == dependence_kind::all_memory) {
      n.slots()[slot] = {&n, nullptr, nullptr};
      table.enter_all(n);
    } else {
      table.enter(n, slot, d);
    }
    ++slot;
  }
  KASURI_EXPECT(cheap, slot == n.slot_count, "%u dependences in %u slots", slot, n.slot_count);
}

/// The same with those of mutexinoutset first, by address.
void enter_in_order(dependence_table& table, dependence_node& n,
                    std::span<const dependence> on) noexcept {
  const auto sorted = new (std::nothrow) dependence[on.size()];
  if (sorted == nullptr) platform::fatal("no memory for the dependences of an OpenMP task");
  std::copy(on.begin(), on.end(), sorted);
  std::sort(sorted, sorted + on.size(), [](const dependence& a, const dependence& b) {
    if (is_exclusive(a) != is_exclusive(b)) return is_exclusive(a);
    return reinterpret_cast<std::uintptr_t>(a.address) <
           reinterpret_cast<std::uintptr_t>(b.address);
  });
  enter_each(table, n, {sorted, on.size()});
  delete[] sorted;
}

// A creator that is so many tasks ahead of the members that run them helps, as far as there is
// anything to run: their records stay in the caches so. It looks at each `between_looks`th task. It
// leaves tasks of other NUMA nodes to them; when those are very many, it waits as long as a member
// without a task does, and takes some.
constexpr std::int64_t far_ahead = 256;
constexpr std::int64_t very_far_ahead = 4096;
constexpr std::int64_t near_enough = 128;
constexpr std::int64_t between_looks = 16;
// A task that takes less, with what its creation and its dependences cost, is not worth moving: its
// records and those of its successors go from core to core several times.
constexpr double worth_moving_us = 0.5;
constexpr int tasks_between_clocks = 8;
// Several times what it takes to create as many such tasks as are run at once.
constexpr double publishes_late_us = 100;

/// Runs children of t until few are left or m finds none, and learns whether they are short.
void run_some(member& m, const task& t) noexcept {
  static const std::uint64_t worth_moving =
      platform::ticks_of_us(tasks_between_clocks * worth_moving_us);
  static const std::uint64_t a_while = platform::ticks_of_us(publishes_late_us);
  std::uint64_t since = platform::ticks();
  int ran = 0;
  while (t.children.left() > near_enough && run_one_task(m, may_run::descendants)) {
    if (++ran != tasks_between_clocks) continue;
    const std::uint64_t now = platform::ticks();
    m.tasks.publishes_from = now - since < worth_moving ? now + a_while : 0;
    since = now;
    ran = 0;
  }
}

void help_if_far_ahead(member& m) noexcept {
  const task& t = *m.current;
  if (t.children.here() % between_looks != 0 || t.children.left() < far_ahead) return;
  m.tasks.idle.end();
  run_some(m, t);
  const auto helps = [&m] {
    return run_one_task(m, may_run::descendants) ||
           run_last_task(m, may_run::descendants) != last_look::nothing;
  };
  while (t.children.left() > very_far_ahead && helps()) {
  }
}

/// The node's dependences are met: its task may begin, as soon as its exclusions allow.
void begin(member* m, dependence_node& n) noexcept {
  KASURI_EXPECT(cheap, n.task != nullptr && n.pending.load(std::memory_order_relaxed) == 0,
                "task %p waits for %d others", static_cast<void*>(n.task),
                n.pending.load(std::memory_order_relaxed));
  if (!take_exclusions(n)) return;
  explicit_task& t = *n.task;
  if (m != nullptr)
    queue_task(*m, t);
  else
    release_task(t);
}

void hand_over_exclusions(member* m, dependence_node& n) noexcept {
  for (std::uint16_t i = 0; i != n.slot_count; ++i) {
    exclusion* const e = n.slots()[i].excludes;
    if (e == nullptr) continue;
    platform::happens_before(e);
    if (dependence_node* next = e->hand_over()) {
      if (tool::active()) [[unlikely]]
        tool::tell_order(n.seen, next->seen);
      KASURI_EXPECT(cheap,
                    next->taken < next->slot_count && next->slots()[next->taken].excludes == e,
                    "a node waits for slot %u of %u, and gets another's exclusion", next->taken,
                    next->slot_count);
      ++next->taken;
      begin(m, *next);
    }
    drop_user(*e);
  }
}

}  // namespace

bool depend(member& m, explicit_task& t, std::span<const dependence> on) noexcept {
  if (on.empty()) return true;
  if (on.size() > most_dependences)
    platform::fatal("a task with %zu dependences; at most 65535 are accepted", on.size());
  KASURI_EXPECT(cheap, t.counted && t.node == nullptr, "counted %d, node %p", t.counted,
                static_cast<void*>(t.node));
  KASURI_EXPECT(cheap, t.parent == m.current, "member %d creates a task at depth %u from depth %u",
                m.number, t.depth, m.current->depth);
  help_if_far_ahead(m);
  find_where(m, t, on);
  dependence_table& table = table_of(*m.current);
  dependence_node& n = make_node(on.size());
  n.task = &t;
  t.node = &n;
  t.special |= special_end::node;
  if (tool::active()) [[unlikely]] {
    tool::tell_dependences(m, t, on);
    see(n, t.tool);
  }
  if (needs_order(on))
    enter_in_order(table, n, on);
  else
    enter_each(table, n, on);
  platform::happens_before(&t);
  const auto added = static_cast<std::int32_t>(n.added);
  KASURI_EXPECT(cheap, added >= 0 && added < dependence_node::creating,
                "a task waits for %d others", added);
  return met(n, dependence_node::creating - added) && take_exclusions(n);
}

void wait_for_dependences(member& m, std::span<const dependence> on) noexcept {
  if (on.empty()) return;
  tool::taskwait_task seen(m, on);
  if (m.current->dependences == nullptr) return;
  dependence_table& table = *m.current->dependences;
  dependence_node& n = make_node(1);
  see(n, seen.info());
  for (const dependence& d : on) {
    if (d.kind == dependence_kind::all_memory)
      table.wait_for_all(n);
    else
      // A call cannot hold an exclusion: it waits for its set instead.
      table.wait_in(n, table.entry(d.address), is_exclusive(d) ? dependence_kind::out : d.kind);
  }
  const auto added = static_cast<std::int32_t>(n.added);
  if (!met(n, dependence_node::creating - added)) {
    const auto ready = [&n] {
      // acquire: pairs with the release in met
      return n.pending.load(std::memory_order_acquire) == 0;
    };
    run_own_tasks(m, ready);
    wait_until(m, &n, ready, may_run::descendants);
  }
  platform::happens_after(&n);
  KASURI_EXPECT(cheap, n.task == nullptr && n.successors.load(std::memory_order_relaxed) == 0,
                "a node that only waits has successors");
  free_node(n);
}

void release_successors(member* m, explicit_task& t) noexcept {
  KASURI_EXPECT(cheap, t.node != nullptr && t.node->task == &t, "task %p ends with node %p",
                static_cast<void*>(&t), static_cast<void*>(t.node));
  dependence_node& n = *t.node;
  t.node = nullptr;
  hand_over_exclusions(m, n);
  platform::happens_before(&n.successors);
  // acq_rel: pairs with follow, has_ended and unname
  const std::uintptr_t head =
      n.successors.fetch_or(dependence_node::ended, std::memory_order_acq_rel);
  KASURI_EXPECT(cheap, (head & dependence_node::ended) == 0, "a task at depth %u ends twice",
                t.depth);
  if ((head & dependence_node::dropped) != 0) free_node(n);
  auto* at = reinterpret_cast<successor*>(head & ~dependence_node::bits);
  while (at != nullptr) {
    dependence_node* const who = at->who;
    successor* const next = at->next;
    // Behind met() the waiting one may have gone on and taken the node along.
    const bool waits = who->task == nullptr;
    if (tool::active()) [[unlikely]]
      tool::tell_order(t.tool, who->seen);
    platform::happens_before(who);
    std::int32_t before;
    const sched::ordered one_less = sched::in_order::subtract(who->pending, 1, before);
    KASURI_EXPECT(cheap, before >= 1, "a successor waits for %d others", before);
    if (before == 1) {
      if (waits)
        notify(who, one_less);
      else
        begin(m, *who);
    }
    at = next;
  }
}

}  // namespace kasuri::omp
