// SPDX-License-Identifier: Apache-2.0
// What a waiting member does: its own tasks, the team's list, other members' tasks.

#include "omp/tasks.hpp"
#include "platform/clock.hpp"

namespace kasuri::omp {
namespace {

using sched::steal_result;

// A member that has tasks but no turn to publish them is helped after this time without progress: a
// rescue costs the thief a system call and the owner an interrupt.
constexpr double rescue_after_us = 5;
// Tasks that a member runs in a barrier before it looks whether that has ended: then no task is
// left.
constexpr int at_once = 16;

std::uint64_t rescue_after() noexcept {
  static const auto ticks =
      static_cast<std::uint64_t>(rescue_after_us * 1e-6 * platform::ticks_per_second());
  return ticks;
}

std::uint64_t progress_of(const member& m) noexcept {
  return m.tasks_created.load(std::memory_order_relaxed) +
         m.tasks_executed.load(std::memory_order_relaxed);
}

/// Whether the victim's oldest public task may be a descendant of `of`. A look at a record that may
/// be gone, or another task's by now: its block is never unmapped, and the steal decides.
bool may_descend(const task_queue::deque& d, const task* of) noexcept {
  if (of == nullptr) return true;
  const auto* const f = static_cast<explicit_task*>(d.peek());
  return f == nullptr || f->depth > of->depth;
}

explicit_task* steal(task_queue::deque& d, const task* of) noexcept {
  detail::frame* f = nullptr;
  while (may_descend(d, of)) {
    switch (d.steal(f)) {
      case steal_result::taken: return static_cast<explicit_task*>(f);
      case steal_result::empty: return nullptr;
      case steal_result::lost: detail::real_atomics::pause();
    }
  }
  return nullptr;
}

/// The victim has nothing public and was asked before.
bool rescue(member& thief, const member& victim, task_queue::deque& d) noexcept {
  task_queue& q = thief.tasks;
  const std::uint64_t now = platform::ticks();
  if (q.watched != &victim) {
    if (q.watched != nullptr && now - q.watched_since < 4 * rescue_after()) return false;
    q.watched = &victim;
  } else {
    if (now - q.watched_since < rescue_after()) return false;
    if (q.watched_progress == progress_of(victim) && !d.empty() && d.rescue()) return true;
  }
  q.watched_since = now;
  q.watched_progress = progress_of(victim);
  return false;
}

/// A task of the victim that the thief may run.
explicit_task* take_from(member& thief, member& victim, const task* of) noexcept {
  task_queue::deque* const d = victim.tasks.shared();
  if (d == nullptr) return nullptr;
  explicit_task* t = steal(*d, of);
  if (t == nullptr) {
    if (d->ask() || !rescue(thief, victim, *d)) return nullptr;
    t = steal(*d, of);
  }
  if (t == nullptr || of == nullptr || descends_from(*t, *of)) return t;
  thief.in->tasks.put(*t);
  notify_tasks(*thief.in);
  return nullptr;
}

std::uint64_t next_random(member& m) noexcept {
  m.random ^= m.random << 13;
  m.random ^= m.random >> 7;
  m.random ^= m.random << 17;
  return m.random;
}

explicit_task* steal_from_team(member& m, const task* of) noexcept {
  const team& in = *m.in;
  const auto size = static_cast<unsigned>(in.size);
  if (size == 1) return nullptr;
  unsigned at = size == 2 ? 0 : static_cast<unsigned>(next_random(m) % size);
  for (unsigned n = 0; n != size; ++n, ++at) {
    if (at == size) at = 0;
    member& victim = *in.members[at];
    if (&victim == &m) continue;
    if (explicit_task* t = take_from(m, victim, of)) return t;
  }
  return nullptr;
}

}  // namespace

bool run_one_task(member& m, may_run what) noexcept {
  team& in = *m.in;
  if (what == may_run::nothing || !in.has_tasks.load(std::memory_order_relaxed)) return false;
  const task* const of = what == may_run::descendants ? m.current : nullptr;
  const int most = of != nullptr ? 1 : at_once;
  int ran = 0;
  for (; ran != most; ++ran) {
    explicit_task* t = in.tasks.empty() ? nullptr : in.tasks.take(of);
    if (t == nullptr) t = static_cast<explicit_task*>(m.tasks.pop(m, of != nullptr));
    if (t == nullptr) t = steal_from_team(m, of);
    if (t == nullptr) break;
    run_task(m, *t);
  }
  settle(m);
  return ran != 0;
}

bool ask_for_tasks(member& m) noexcept {
  const team& t = *m.in;
  if (!t.has_tasks.load(std::memory_order_relaxed)) return false;
  for (int i = 0; i != t.size; ++i)
    if (t.members[i] != &m) t.members[i]->tasks.want_notice();
  detail::real_atomics::fence_full();  // pairs with the fence_light between a push and its look
  for (int i = 0; i != t.size; ++i) {
    const task_queue::deque* const d = t.members[i]->tasks.shared();
    if (d != nullptr && t.members[i] != &m && !d->empty()) return true;
  }
  return false;
}

}  // namespace kasuri::omp
