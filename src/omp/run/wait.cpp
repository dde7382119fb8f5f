// SPDX-License-Identifier: Apache-2.0
#include "omp/run/wait.hpp"

#include "omp/run/tasks.hpp"
#include "omp/team/helper.hpp"
#include "omp/team/member_place.hpp"
#include "omp/wait/parking.hpp"
#include "omp/wait/spin_time.hpp"
#include "omp/wait/wait_account.hpp"
#include "platform/base/expect.hpp"
#include "sched/run/suspend.hpp"

namespace kasuri::omp {
namespace {

using detail::real_atomics;

// Looks at the condition between two looks at the worker and the clock.
constexpr unsigned looks_a_round = 16;
constexpr unsigned rounds_between_thorough = 4;

bool look_for_tasks(member& m, may_run what) noexcept {
  return what != may_run::nothing && m.in->has_tasks.load(std::memory_order_relaxed) &&
         run_one_task(m, what);
}

/// Whether the member should make room for others on its worker.
bool should_leave(unsigned round) noexcept {
  sched::worker* const w = sched::current();
  if (w == nullptr) return false;
  w->tick();
  return wanted_elsewhere(*w, round % rounds_between_thorough == rounds_between_thorough - 1);
}

/// Tasks of the team that came so far and that no member has queued on itself, and notices of
/// others.
std::uint64_t tasks_so_far(const team& t) noexcept {
  // acquire: pairs with the increment in release_task: the task is in the list
  const std::uint64_t released = t.tasks.released.load(std::memory_order_acquire) +
                                 t.tasks.notices.load(std::memory_order_relaxed);
  return t.mail == nullptr ? released : released + t.mail->sent_so_far();
}

/// A suspension ends by the condition, or by such a task.
struct condition_or_task {
  condition ready;
  const void* arg;
  const team& in;
  std::uint64_t seen;

  static bool holds(const void* either) noexcept {
    const auto& e = *static_cast<const condition_or_task*>(either);
    if (e.ready(e.arg)) return true;
    const std::uint64_t now = tasks_so_far(e.in);
    KASURI_EXPECT(cheap, now >= e.seen, "%lu tasks and notices so far, %lu before", now, e.seen);
    return now != e.seen;
  }
};

/// The member has been suspended, and may go on on another OS thread.
void settle_again(member& m) noexcept {
  bind_thread_of(m);
  if (m.in->mail != nullptr) [[unlikely]]
    settle_on_node(m);
}

/// False: the member is to be suspended. True: look again, something has changed.
bool spin(member& m, condition ready, const void* arg, may_run what,
          record::wait_reason why) noexcept {
  wait_account account(why);
  spin_time time;
  for (unsigned round = 0;; ++round) {
    // Before the first pause: in a team with more members than cores the next one waits for the
    // worker.
    if (should_leave(round)) return false;
    for (unsigned i = 0; i != looks_a_round; ++i) {
      if (ready(arg)) return true;
      real_atomics::pause();
    }
    if (account.look_for_tasks([&] { return look_for_tasks(m, what); })) return true;
    if (time.is_over()) return false;
  }
}

}  // namespace

void wait_until(member& m, const void* key, condition ready, const void* arg, may_run what,
                record::wait_reason why) noexcept {
  KASURI_EXPECT(cheap, key != nullptr && ready != nullptr, "member %d waits under %p", m.number,
                key);
  KASURI_EXPECT(all, known_self() == &m, "member %d of %d is not the calling thread's", m.number,
                m.in->size);
  m.tasks.idle.end();
  m.tasks.publishes_from = 0;
  while (!ready(arg)) {
    const std::uint64_t seen = tasks_so_far(*m.in);
    // All that it may run comes first: what a suspended member has queued waits for a thief.
    if (look_for_tasks(m, what) || spin(m, ready, arg, what, why)) continue;
    if (what == may_run::nothing) {
      park(key, ready, arg, why);
      settle_again(m);
      continue;
    }
    if (what == may_run::anything && ask_for_tasks(m)) {
      sched::yield();
      continue;
    }
    if (what == may_run::descendants && ask_for_notice(m) && look_for_tasks(m, what)) continue;
    const last_look found = run_last_task(m, what);
    // Only if it must: a member that yields may go on on another node.
    if (found == last_look::too_early && should_leave(rounds_between_thorough - 1)) sched::yield();
    if (found != last_look::nothing) continue;
    // relaxed: before the fence in enter() of sched/kernel/parking_lot.hpp, behind which the lot
    // asks. release_task, notify_tasks and deliver (task_send.cpp) look at it.
    m.tasks.waits_on.store(key, std::memory_order_relaxed);
    const condition_or_task either{ready, arg, *m.in, seen};
    park(key, condition_or_task::holds, &either, why, &m);
    settle_again(m);
  }
  KASURI_EXPECT(all, known_self() == &m, "member %d of %d has waited for another thread", m.number,
                m.in->size);
}

bool notify_tasks(member& m) noexcept {
  team& t = *m.in;
  const sched::ordered told = sched::in_order::add(t.tasks.notices, std::uint64_t{1});
  if (unpark_one(&t, told)) return true;
  for (const taskgroup* g = m.current->group; g != nullptr; g = g->outer)
    if (unpark_one(g, told)) return true;
  for (const task* above = m.current;; above = above->parent) {
    KASURI_EXPECT(cheap, above != nullptr, "member %d is in no implicit task", m.number);
    if (unpark_one(above, told)) return true;
    if (above->implicit) break;
  }
  return send_for_helper(t);
}

}  // namespace kasuri::omp
