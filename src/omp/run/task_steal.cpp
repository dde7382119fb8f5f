// SPDX-License-Identifier: Apache-2.0
// A waiting member looks for tasks: its own, the team's list, other members'. task_mail.hpp has the
// order where there are several NUMA nodes.

#include <algorithm>

#include "omp/run/task_send.hpp"
#include "omp/run/tasks.hpp"
#include "omp/team/member_place.hpp"
#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
#include "sched/kernel/random.hpp"
#include "sched/kernel/victim.hpp"

namespace kasuri::omp {
namespace {

// A member that has tasks but no turn to publish them is helped after this time without progress: a
// rescue costs the thief a system call and the owner an interrupt.
constexpr double rescue_after_us = 5;
// Tasks that a member runs in a barrier before it looks whether that has ended: then no task is
// left.
constexpr int at_once = 16;

// For how long a member leaves what belongs to other nodes to them: twice as long as its tasks
// take, since who will run it there may be about to end one, and run far from its data a task costs
// about as much again.
constexpr double least_patience_us = 20;
constexpr double most_patience_us = 5000;
// That a look at a team of up to 64 takes, the pauses before it included.
constexpr double longest_look_us = 4;

std::uint64_t rescue_after() noexcept {
  static const std::uint64_t ticks = platform::ticks_of_us(rescue_after_us);
  return ticks;
}

std::uint64_t patience(const member& m) noexcept {
  static const std::uint64_t least = platform::ticks_of_us(least_patience_us);
  static const std::uint64_t most = platform::ticks_of_us(most_patience_us);
  return std::clamp(m.tasks.usual_ticks * 2, least, most);
}

std::uint64_t progress_of(const member& m) noexcept {
  return m.tasks_created.load(std::memory_order_relaxed) +
         m.tasks_executed.load(std::memory_order_relaxed);
}

/// The tasks that a thief is after.
struct wish {
  const task* of;      // descendants of it only, or null
  bool placed = true;  // also tasks with a where
};

/// Whether the victim's oldest public task may be what is wanted. A look at a record that may be
/// gone, or another task's by now: its block is never unmapped, and the steal decides; a task that
/// has a where after all is run elsewhere then.
bool may_suit(const task_queue::deque& d, const wish& wanted) noexcept {
  if (wanted.of == nullptr && wanted.placed) return true;
  const auto* const f = static_cast<explicit_task*>(d.peek());
  if (f == nullptr) return true;
  return (wanted.of == nullptr || f->depth > wanted.of->depth) && (wanted.placed || f->where < 0);
}

explicit_task* steal(task_queue::deque& d, const wish& wanted) noexcept {
  detail::frame* const f =
      sched::take_public(d, [] { return false; }, [&] { return may_suit(d, wanted); });
  KASURI_EXPECT(cheap, f == nullptr || f->type == &task_kind, "frame %p is not a task",
                static_cast<void*>(f));
  return static_cast<explicit_task*>(f);
}

/// How long a member is left alone: as long as it makes progress, because a single task is not
/// published on request (task_queue.hpp). A thief watches one member at a time.
struct progress_watch {
  task_queue& thief;
  const member& victim;
  task_queue::deque& victims;

  void ask() const noexcept { victims.ask(); }
  void ask_too() const noexcept {}
  bool owner_is_stuck() const noexcept {
    const std::uint64_t now = platform::ticks();
    if (thief.watched != &victim) {
      if (thief.watched != nullptr && now - thief.watched_since < 4 * rescue_after()) return false;
      thief.watched = &victim;
    } else {
      if (now - thief.watched_since < rescue_after()) return false;
      if (thief.watched_progress == progress_of(victim) && !victims.empty()) return true;
    }
    begin_again(now);
    return false;
  }
  /// Not before a while: a rescue that fails costs the owner as much.
  void could_not_rescue() const noexcept { begin_again(platform::ticks()); }
  void begin_again(std::uint64_t now) const noexcept {
    thief.watched_since = now;
    thief.watched_progress = progress_of(victim);
  }
};

/// A task of the victim that the thief may run.
explicit_task* take_from(member& thief, member& victim, const wish& wanted) noexcept {
  KASURI_EXPECT(cheap, &thief != &victim && thief.in == victim.in,
                "member %d of %p steals from member %d of %p", thief.number,
                static_cast<void*>(thief.in), victim.number, static_cast<void*>(victim.in));
  task_queue::deque* const d = victim.tasks.shared();
  if (d == nullptr) return nullptr;
  explicit_task* t = steal(*d, wanted);
  if (t == nullptr) {
    if (!sched::ask_or_rescue(*d, progress_watch{thief.tasks, victim, *d})) return nullptr;
    t = steal(*d, wanted);
  }
  KASURI_EXPECT(cheap, t == nullptr || (t->counted && &t->home() == thief.in),
                "a task of team %p, counted %d, in a deque of team %p",
                static_cast<void*>(&t->home()), t->counted, static_cast<void*>(thief.in));
  if (t == nullptr || wanted.of == nullptr || descends_from(*t, *wanted.of)) return t;
  team& in = *thief.in;
  if (in.mail != nullptr && give_back(in, *t)) return nullptr;
  in.tasks.put(*t);
  notify_tasks(thief);
  return nullptr;
}

/// From members that `suits` says yes to.
template <class Suits>
explicit_task* steal_from(member& m, const wish& wanted, Suits suits) noexcept {
  const team& in = *m.in;
  const auto size = static_cast<unsigned>(in.size);
  if (size == 1) return nullptr;
  unsigned at = size == 2 ? 0 : static_cast<unsigned>(sched::xorshift(m.random) % size);
  for (unsigned n = 0; n != size; ++n, ++at) {
    if (at == size) at = 0;
    member& victim = *in.members[at];
    if (&victim == &m || !suits(victim)) continue;
    if (explicit_task* t = take_from(m, victim, wanted)) return t;
  }
  return nullptr;
}

explicit_task* steal_from_team(member& m, const task* of) noexcept {
  return steal_from(m, {of}, [](const member&) { return true; });
}

/// For how long m has found nothing near, ticks. In a large team a look takes longer.
std::uint64_t idle_for(member& m) noexcept {
  static const std::uint64_t longest = platform::ticks_of_us(longest_look_us);
  const auto size = static_cast<unsigned>(m.in->size);
  return m.tasks.idle.look(platform::ticks(), longest * (1 + size / 64));
}

/// A task of another member, where there are several nodes.
explicit_task* find_by_node(member& m, const task* of) noexcept {
  task_mail& mail = *m.in->mail;
  const int here = node_of(m);
  const auto is_near = [here](const member& v) {
    return v.tasks.node.load(std::memory_order_relaxed) == here;
  };
  explicit_task* t = mail.take(here, of);
  if (t == nullptr) t = steal_from(m, {of}, is_near);
  if (t != nullptr) {
    m.tasks.idle.end();
    return t;
  }
  const std::uint64_t idle = idle_for(m);
  const std::uint64_t late = patience(m);
  if (idle >= late) t = mail.take_elsewhere(here, of, late);
  const bool anything = idle >= 2 * late;
  if (t == nullptr) t = steal_from(m, {of, anything}, [&](const member& v) { return !is_near(v); });
  return t;
}

/// Runs a task and learns how long tasks take.
void run_timed(member& m, explicit_task& t) noexcept {
  const std::uint64_t since = platform::ticks();
  run_task(m, t);
  const std::uint64_t ticks = platform::ticks() - since;
  m.tasks.usual_ticks += ticks / 4 - m.tasks.usual_ticks / 4;
}

}  // namespace

bool run_one_task(member& m, may_run what) noexcept {
  team& in = *m.in;
  if (what == may_run::nothing || !in.has_tasks.load(std::memory_order_relaxed)) return false;
  const task* const of = what == may_run::descendants ? m.current : nullptr;
  const int most = of != nullptr ? 1 : at_once;
  int ran = 0;
  KASURI_EXPECT(all, known_self() == &m, "member %d of %d is not the calling thread's", m.number,
                in.size);
  for (; ran != most; ++ran) {
    explicit_task* t = in.tasks.empty() ? nullptr : in.tasks.take(of);
    if (t == nullptr) {
      t = static_cast<explicit_task*>(pop_task(m, of != nullptr));
      if (t != nullptr) m.tasks.idle.end();
    }
    if (t == nullptr) t = in.mail == nullptr ? steal_from_team(m, of) : find_by_node(m, of);
    if (t == nullptr) break;
    KASURI_EXPECT(cheap, t->counted, "a task at depth %u was queued and not counted", t->depth);
    in.mail == nullptr ? run_task(m, *t) : run_timed(m, *t);
  }
  settle(m);
  KASURI_EXPECT(cheap, m.tasks.ended.of == nullptr, "member %d owes %ld ends", m.number,
                m.tasks.ended.n);
  return ran != 0;
}

last_look run_last_task(member& m, may_run what) noexcept {
  task_mail* const mail = m.in->mail.get();
  if (mail == nullptr || what == may_run::nothing) return last_look::nothing;
  if (!mail->empty() && idle_for(m) < 2 * patience(m)) {
    detail::real_atomics::pause();
    return last_look::too_early;
  }
  const int here = node_of(m);
  mail->want_notice(here);
  detail::real_atomics::fence_full();  // pairs with the fence in deliver
  const task* const of = what == may_run::descendants ? m.current : nullptr;
  explicit_task* t = mail->take(here, of);
  if (t == nullptr) t = mail->take_elsewhere(here, of, 0);
  if (t == nullptr) return last_look::nothing;
  run_task(m, *t);
  settle(m);
  return last_look::ran;
}

bool ask_for_notice(member& m) noexcept {
  const team& t = *m.in;
  // relaxed: expect_tasks() asks for those that see it late
  if (!t.has_tasks.load(std::memory_order_relaxed)) return false;
  for (int i = 0; i != t.size; ++i)
    if (t.members[i] != &m) t.members[i]->tasks.want_notice();
  if (t.mail != nullptr) t.mail->want_notice(node_of(m));
  // pairs with the fence_light between a push and its look, and with the fence in deliver
  detail::real_atomics::fence_full();
  return true;
}

bool ask_for_tasks(member& m) noexcept {
  if (!ask_for_notice(m)) return false;
  const team& t = *m.in;
  if (t.mail != nullptr && !t.mail->empty()) return true;
  for (int i = 0; i != t.size; ++i) {
    const task_queue::deque* const d = t.members[i]->tasks.shared();
    if (d != nullptr && t.members[i] != &m && !d->empty()) return true;
  }
  return false;
}

}  // namespace kasuri::omp
