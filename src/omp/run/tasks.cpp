// SPDX-License-Identifier: Apache-2.0
#include "omp/run/tasks.hpp"

#include <algorithm>
#include <utility>

#include "omp/env/environment.hpp"
#include "omp/run/depend.hpp"
#include "omp/run/taskgroup.hpp"
#include "omp/task/clang_task.hpp"
#include "omp/task/dependence_node.hpp"
#include "omp/tool/hooks.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::omp {
namespace {

using detail::real_atomics;
using platform::happens_after;
using platform::happens_before;

bool cancelled(const explicit_task& t, const team& in) noexcept {
  return in.cancelled.load(std::memory_order_relaxed) != 0 ||
         (t.group != nullptr && is_cancelled(t.group));
}

/// The task is to begin on m: whether it is dropped instead, because it has been cancelled.
[[gnu::always_inline]] inline bool discard(const member& m, explicit_task& t) noexcept {
  if (!cancelled(t, *m.in)) [[likely]]
    return false;
  KASURI_EXPECT(cheap, !t.is(special_end::discarded), "a task at depth %u is dropped twice",
                t.depth);
  if (t.is(special_end::code_destroys)) return false;
  t.special |= special_end::discarded;
  return true;
}

/// The last reason to keep the record is gone: frees it and those that it kept.
void free_with_ancestors(explicit_task* t) noexcept {
  while (t != nullptr) {
    task* const parent = t->lingered ? t->parent : nullptr;
    KASURI_EXPECT(cheap, t->ended && !t->implicit,
                  "the record of a task goes: ended %d, implicit %d", t->ended, t->implicit);
    free_task(*t);
    KASURI_EXPECT(
        cheap,
        parent == nullptr || parent->implicit || parent->holds.load(std::memory_order_relaxed) != 0,
        "a task at depth %u is kept, and has no holds", parent->depth);
    if (parent != nullptr) happens_before(&parent->holds);
    // acq_rel: pairs with itself: the last one has seen what the others did with the record
    if (parent == nullptr || parent->implicit ||
        parent->holds.fetch_sub(1, std::memory_order_acq_rel) != 1)
      return;
    happens_after(&parent->holds);
    t = static_cast<explicit_task*>(parent);
  }
}

/// The task and all its children have ended.
void let_go(task& ended) noexcept {
  KASURI_EXPECT(cheap, ended.ended && !ended.implicit, "a task at depth %u: ended %d, implicit %d",
                ended.depth, ended.ended, ended.implicit);
  auto& t = static_cast<explicit_task&>(ended);
  happens_before(&t.holds);
  // acquire: pairs with the release in free_with_ancestors
  if (t.holds.load(std::memory_order_acquire) == 1 ||
      t.holds.fetch_sub(1, std::memory_order_acq_rel) == 1) {  // pairs with itself
    happens_after(&t.holds);
    free_with_ancestors(&t);
  }
}

/// `n` children of a task have ended, none of which its executor counts.
void add_ended_elsewhere(task& parent, std::int64_t n) noexcept {
  KASURI_EXPECT(cheap, n > 0, "%ld children of a task at depth %u have ended", n, parent.depth);
  happens_before(&parent);
  bool last;
  const sched::ordered added = parent.children.end_elsewhere_by<sched::in_order>(n, last);
  // Behind this the parent may be gone, unless we were the last of a task that has ended.
  if (last) {
    happens_after(&parent);
    let_go(parent);
  } else {
    notify(&parent, added);
  }
}

/// Counts tasks that ended on m, for the barrier; after their parents know, because an implicit
/// task's counters begin anew in the next region.
void count_executed(member& m, std::int64_t n) noexcept {
  happens_before(&m.in->tasks);
  // release: pairs with the acquire in tasks_left
  m.tasks_executed.store(
      m.tasks_executed.load(std::memory_order_relaxed) + static_cast<std::uint64_t>(n),
      std::memory_order_release);
}

void pay_parent(member& m) noexcept {
  task* const parent = std::exchange(m.tasks.ended.of, nullptr);
  if (parent == nullptr) return;
  const std::int64_t n = m.tasks.ended.n;
  KASURI_EXPECT(cheap, n > 0, "member %d owes %ld ends", m.number, n);
  if (tool::active()) [[unlikely]]
    tool::pay_parent(m);
  add_ended_elsewhere(*parent, n);
  count_executed(m, n);
}

[[gnu::always_inline]] inline void count_ended(member& m, task& parent) noexcept {
  if (parent.executor == &m && !parent.ended) [[likely]] {
    KASURI_EXPECT(cheap, parent.children.here() > 0,
                  "a child of a task at depth %u ends, which has %ld", parent.depth,
                  parent.children.here());
    parent.children.end_here();
    count_executed(m, 1);
    return;
  }
  if (m.tasks.ended.add(&parent)) return;
  pay_parent(m);
  m.tasks.ended.add(&parent);
}

/// The code of t has run. True: no child is left, the record goes.
bool give_up_children(explicit_task& t) noexcept {
  KASURI_EXPECT(cheap, !t.ended && t.children.here() >= 0,
                "a task at depth %u: ended %d, %ld children", t.depth, t.ended, t.children.here());
  t.ended = true;
  if (t.children.here() == 0) return true;  // all ended here
  happens_before(static_cast<task*>(&t));
  if (!t.children.give_up()) return false;
  happens_after(static_cast<task*>(&t));
  return true;
}

/// Keeps the records of the ancestors of a task that ends before its children.
void linger(explicit_task& t) noexcept {
  KASURI_EXPECT(cheap, !t.lingered && t.depth == t.parent->depth + 1,
                "a task at depth %u, its parent at %u, lingered %d", t.depth, t.parent->depth,
                t.lingered);
  t.lingered = true;
  if (!t.parent->implicit) t.parent->holds.fetch_add(1, std::memory_order_relaxed);
}

/// The end of a task on a member, after its code.
[[gnu::always_inline]] inline void finish(member& m, explicit_task& t) noexcept {
  KASURI_EXPECT(cheap, m.current != &t && t.executor == &m, "member %d ends a task of member %d",
                m.number, t.executor->number);
  if (t.is(special_end::node)) [[unlikely]]
    release_successors(&m, t);
  if (t.dependences != nullptr) [[unlikely]]
    drop_dependences(t);
  task& parent = *t.parent;
  taskgroup* const group = t.group;
  const bool counted = t.counted;
  // acquire: pairs with the release of a hold in free_with_ancestors
  if (t.children.here() == 0 && t.holds.load(std::memory_order_acquire) == 1) [[likely]] {
    free_task(t);
  } else {
    // Descendants are left. Before the counters are given up: then another may free the record.
    linger(t);
    if (give_up_children(t)) let_go(t);
  }
  if (!counted) return;
  if (group != nullptr) count_ended_in(*group, m);
  count_ended(m, parent);
}

/// The end of a task with an event, on any thread, for those who wait for it. The record stays.
void count_detached_ended(explicit_task& t) noexcept {
  team& in = t.home();
  taskgroup* const group = t.group;
  if (t.is(special_end::node)) release_successors(nullptr, t);
  if (t.counted) {
    add_ended_elsewhere(*t.parent, 1);
    if (group != nullptr && group->counted) {
      happens_before(group);
      bool last;  // does not matter: its owner does not give the count up
      notify(group, group->tasks.end_elsewhere_by<sched::in_order>(1, last));
    }
    happens_before(&in.tasks);
    // release: pairs with the acquire in tasks_left
    in.tasks.ended_by_event.fetch_add(1, std::memory_order_release);
    notify(&in);  // its barriers; the team may be gone
  }
}

void finish_detached(explicit_task& t) noexcept {
  count_detached_ended(t);
  let_go(t);
}

/// The task was dropped, and nobody else may be going to fulfill its event. A thread that fulfills
/// it later finds the record.
void finish_discarded(explicit_task& t) noexcept {
  count_detached_ended(t);
  happens_before(&t.event);
  // acq_rel: pairs with the exchange in fulfill_event
  const detach_state before = t.event.exchange(detach_state::discarded, std::memory_order_acq_rel);
  KASURI_EXPECT(cheap, before == detach_state::open || before == detach_state::fulfilled,
                "a task is dropped at depth %u, its event is in state %d", t.depth,
                static_cast<int>(before));
  if (before != detach_state::fulfilled) return;
  happens_after(&t.event);
  let_go(t);
}

/// The code of a task with an event has run. The executor gives everything up that only it may
/// touch: the second to come, it or the event, ends the task.
void finish_code_of_detached(explicit_task& t) noexcept {
  if (t.dependences != nullptr) drop_dependences(t);
  linger(t);
  t.holds.fetch_add(1, std::memory_order_relaxed);  // until the event
  if (give_up_children(t)) let_go(t);
  if (t.is(special_end::discarded)) return finish_discarded(t);
  happens_before(&t.event);
  // acq_rel: pairs with the exchange in fulfill_event
  const detach_state before = t.event.exchange(detach_state::ended, std::memory_order_acq_rel);
  KASURI_EXPECT(cheap, before == detach_state::open || before == detach_state::fulfilled,
                "a task ends at depth %u, its event is in state %d", t.depth,
                static_cast<int>(before));
  if (before != detach_state::fulfilled) return;
  happens_after(&t.event);
  finish_detached(t);
}

/// Clang cuts an untied task behind each of its scheduling points: the code hands the task over
/// again, for its next part, and returns. The next part is called at once, on the same member. To
/// queue it would let another member go on with it, but then what the task's earlier parts created
/// could lie anywhere in a deque, and a wait in it would have to run whatever lies above: tasks
/// that do not descend from it, which wait in turn, and so on until the stack is full. So an untied
/// task's waits are those of a tied one.
void call_code(explicit_task& t, const member& m) noexcept {
  KASURI_EXPECT(cheap, t.function != nullptr && !t.goes_on, "a task without code, goes on %d",
                t.goes_on);
  if (!t.clang) return reinterpret_cast<gcc_task>(t.function)(t.data);
  reinterpret_cast<clang_task>(t.function)(m.number, t.data);
  if (t.goes_on) [[unlikely]]
    run_next_parts(m, t);
}

void destroy_data(explicit_task& t, const member& m) noexcept {
  auto* const data = static_cast<clang_data*>(t.data);
  KASURI_EXPECT(cheap, t.clang && data->destructors != nullptr, "clang %d, data %p", t.clang,
                t.data);
  data->destructors(m.number, data);
}

/// The status that a tool is told when the task leaves its member.
tool::task_status status_at_end(const explicit_task& t, const team& in) noexcept {
  if (cancelled(t, in)) return tool::task_status::cancel;
  if (t.is(special_end::detachable) &&
      t.event.load(std::memory_order_relaxed) != detach_state::fulfilled)
    return tool::task_status::detach;
  return tool::task_status::complete;
}

/// The task begins behind its creation, and behind the tasks that it depends on.
[[gnu::noinline]] void order_start(const explicit_task& t) noexcept {
  happens_after(&t);
  if (t.node != nullptr) order_behind_others(*t.node);
}

/// The task may begin on m.
inline void expect_ready(const member& m, const explicit_task& t) noexcept {
  KASURI_EXPECT(all, known_self() == &m, "member %d of %d is not the calling thread's", m.number,
                m.in->size);
  KASURI_EXPECT(cheap, &t.home() == m.in, "member %d of team %p runs a task of team %p", m.number,
                static_cast<void*>(m.in), static_cast<void*>(&t.home()));
  KASURI_EXPECT(cheap, !t.ended && t.holds.load(std::memory_order_relaxed) == 1,
                "a task at depth %u begins: ended %d, %u holds", t.depth, t.ended,
                t.holds.load(std::memory_order_relaxed));
  KASURI_EXPECT(cheap, t.depth == t.parent->depth + 1 && t.children.here() == 0,
                "a task at depth %u begins, its parent at %u, with %ld children", t.depth,
                t.parent->depth, t.children.here());
  KASURI_EXPECT(cheap, m.current->executor == &m, "member %d is in a task of another", m.number);
  if (t.node == nullptr) return;
  KASURI_EXPECT(cheap, t.node->pending.load(std::memory_order_relaxed) == 0,
                "a task at depth %u begins and waits for %d others", t.depth,
                t.node->pending.load(std::memory_order_relaxed));
  KASURI_EXPECT(cheap, t.node->taken == t.node->slot_count,
                "a task at depth %u begins with %u of %u exclusions", t.depth, t.node->taken,
                t.node->slot_count);
}

[[gnu::always_inline]] inline interrupted begin(member& m, explicit_task& t) noexcept {
  expect_ready(m, t);
  if (m.tasks.ended.of != nullptr && m.tasks.ended.of != t.parent) pay_parent(m);
  if (m.tasks.group != nullptr && m.tasks.group != t.group) give_back_credits(m);
  const interrupted outer{m.current, m.tasks.enter()};
  t.executor = &m;
  m.current = &t;
  if (platform::race_detector_runs()) [[unlikely]]
    order_start(t);
  return outer;
}

[[gnu::always_inline]] inline void end(member& m, explicit_task& t,
                                       const interrupted& outer) noexcept {
  KASURI_EXPECT(all, known_self() == &m, "member %d of %d is not the calling thread's", m.number,
                m.in->size);
  KASURI_EXPECT(cheap, m.current == &t && outer.outer->executor == &m,
                "member %d ends a task at depth %u and is in one at %u", m.number, t.depth,
                m.current->depth);
  m.current = outer.outer;
  m.tasks.leave(outer.mark);
  if (t.is(special_end::detachable | special_end::destroys)) [[unlikely]] {
    if (t.is(special_end::destroys)) destroy_data(t, m);
    if (t.is(special_end::detachable)) return finish_code_of_detached(t);
  }
  finish(m, t);
}

/// run_task while a tool looks on. The code's caller is a frame that it knows.
[[gnu::noinline]] void run_task_seen(member& m, explicit_task& t) noexcept {
  const interrupted outer = begin_task(m, t);
  if (discard(m, t)) {
    tool::discard_task(m, t);
  } else {
    *tool::exit_frame(m) = __builtin_frame_address(0);
    call_code(t, m);
  }
  end_task(m, t, outer);
}

}  // namespace

void settle_slow(member& m) noexcept {
  pay_parent(m);
  if (m.tasks.group != m.current->group) give_back_credits(m);
}

int task_priority(int asked) noexcept {
  return asked <= 0 ? 0 : std::min(asked, max_task_priority());
}

void count_created_apart(member& m, explicit_task& t) noexcept {
  if (!m.in->has_tasks.load(std::memory_order_relaxed)) expect_tasks(*m.in);
  count_created(m, t);
}

void expect_tasks(team& t) noexcept {
  t.has_tasks.store(true, std::memory_order_relaxed);
  for (int i = 0; i != t.size; ++i) t.members[i]->tasks.want_notice();
  if (t.mail != nullptr) t.mail->want_notice_everywhere();
}

void queue_task_slow(member& m, explicit_task& t, bool pushed) noexcept {
  team& in = *m.in;
  KASURI_EXPECT(cheap, &t.home() == &in, "member %d of team %p queues a task of team %p", m.number,
                static_cast<void*>(&in), static_cast<void*>(&t.home()));
  if (!pushed) in.tasks.put(t);
  if (!in.has_tasks.load(std::memory_order_relaxed)) expect_tasks(in);
  notify_tasks(m);
}

void release_task(explicit_task& t) noexcept {
  happens_before(&t);
  team& in = t.home();
  KASURI_EXPECT(cheap, t.counted && in.has_tasks.load(std::memory_order_relaxed),
                "a task is released in a team of %d, counted %d", in.size, t.counted);
  in.tasks.put(t);
  const sched::ordered released = sched::in_order::add(in.tasks.released, std::uint64_t{1});
  for (int i = 0; i != in.size; ++i)
    // seq_cst: behind the change of `released`; pairs with the fence of the lot, between a member's
    // store of waits_on and its look at that
    if (const void* key = in.members[i]->tasks.waits_on.load(std::memory_order_seq_cst))
      notify(key, released);
}

interrupted begin_task(member& m, explicit_task& t) noexcept {
  const interrupted outer = begin(m, t);
  if (tool::active()) [[unlikely]]
    tool::start_task(m, *outer.outer, t);
  return outer;
}

void run_next_parts(const member& m, explicit_task& t) noexcept {
  KASURI_EXPECT(cheap, !t.goes_on || (t.clang && t.untied), "clang %d, untied %d", t.clang,
                t.untied);
  while (t.goes_on) {
    t.goes_on = false;
    reinterpret_cast<clang_task>(t.function)(m.number, t.data);
  }
}

void end_task(member& m, explicit_task& t, const interrupted& outer) noexcept {
  if (tool::active()) [[unlikely]]
    tool::stop_task(m, t, *outer.outer, status_at_end(t, *m.in));
  end(m, t, outer);
}

void run_task(member& m, explicit_task& t) noexcept {
  if (t.where >= 0) [[unlikely]]
    count_where(m, t);
  if (tool::active()) [[unlikely]]
    return run_task_seen(m, t);
  const interrupted outer = begin(m, t);
  if (!discard(m, t)) [[likely]]
    call_code(t, m);
  end(m, t, outer);
}

explicit_task& new_call_record(member& m) noexcept {
  explicit_task& t = make_task(*m.current, m.in, 0, 1);
  t.executor = &m;
  t.undeferred = true;
  return t;
}

void end_call_slow(member& m, explicit_task& t) noexcept { finish(m, t); }

void fulfill_event(explicit_task& t) noexcept {
  KASURI_EXPECT(cheap, t.is(special_end::detachable), "a task at depth %u has no event", t.depth);
  // Told before: behind the exchange the task may be gone.
  if (tool::active()) [[unlikely]] {
    const bool ended = t.event.load(std::memory_order_relaxed) == detach_state::ended;
    tool::fulfill(t, ended ? tool::task_status::late_fulfill : tool::task_status::early_fulfill);
  }
  happens_before(&t.event);
  // acq_rel: pairs with the exchanges in finish_code_of_detached and finish_discarded
  const detach_state before = t.event.exchange(detach_state::fulfilled, std::memory_order_acq_rel);
  KASURI_EXPECT(cheap, before != detach_state::fulfilled,
                "an event of a task at depth %u is fulfilled twice", t.depth);
  if (before != detach_state::ended && before != detach_state::discarded) return;
  happens_after(&t.event);
  before == detach_state::ended ? finish_detached(t) : let_go(t);
}

void wait_for_children(member& m) noexcept {
  task& t = *m.current;
  if (t.children.all_ended() && !tool::active()) return happens_after(&t);
  const tool::sync_region seen(m, tool::sync_kind::taskwait);
  const auto ready = [&t] { return t.children.all_ended(); };
  run_own_tasks(m, ready);
  wait_until(m, &t, ready, may_run::descendants);
  happens_after(&t);
}

void yield_task(member& m) noexcept {
  if (tool::active()) [[unlikely]]
    tool::set_yields(m, true);
  run_one_task(m, may_run::descendants);
  if (tool::active()) [[unlikely]]
    tool::set_yields(m, false);
}

void end_implicit_task(member& m) noexcept {
  KASURI_EXPECT(cheap, m.current == &m.implicit, "member %d ends the region in a task at depth %u",
                m.number, m.current->depth);
  if (m.implicit.dependences != nullptr) reset_dependences(m.implicit);
}

}  // namespace kasuri::omp
