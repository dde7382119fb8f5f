// SPDX-License-Identifier: Apache-2.0
// A worker at its dock (team/dock.hpp): it runs members of the regions that are posted there, and
// waits for the next one.

#include <cstddef>

#include "omp/region/region_member.hpp"
#include "omp/run/tasks.hpp"
#include "omp/run/wait.hpp"
#include "omp/team/root.hpp"
#include "omp/wait/spin_time.hpp"
#include "omp/wait/wait_account.hpp"
#include "platform/base/expect.hpp"
#include "sched/run/suspend.hpp"
#include "sched/worker/fresh_stack.hpp"

namespace kasuri::omp {
namespace {

using detail::real_atomics;

using word_of_dock = dock_word<real_atomics>;

constexpr unsigned looks_a_round = 32;
constexpr unsigned rounds_between_thorough = 4;

dock& dock_of(detail::frame* f) noexcept {
  return *reinterpret_cast<dock*>(reinterpret_cast<std::byte*>(f) - offsetof(dock, start));
}

/// The worker has finished the region, or what it was sent for: more may be posted.
void finish(dock& d, team& t, member& m, bool helped) noexcept {
  const std::uint64_t number = t.region.load(std::memory_order_relaxed);
  KASURI_EXPECT(cheap, &posted_team(d.word.look()) == &t && posted_to_help(d.word.look()) == helped,
                "worker %d has finished, helped %d, and %#lx stands at its dock", d.index, helped,
                d.word.look());
  KASURI_EXPECT(cheap,
                !helped || (m.comes_back.load(std::memory_order_relaxed) &&
                            t.frames.helpers.load(std::memory_order_relaxed) != 0),
                "member %d has helped, and was not sent for: %u helpers", m.number,
                t.frames.helpers.load(std::memory_order_relaxed));
  KASURI_EXPECT(cheap, helped || m.finished.load(std::memory_order_relaxed) < number,
                "member %d has finished region %lu, and %lu before", m.number, number,
                m.finished.load(std::memory_order_relaxed));
  d.word.stand();
  if (helped) {
    // release: pairs with the acquire in send_for_docked, for the word
    m.comes_back.store(false, std::memory_order_release);
    notify(&t, sched::in_order::subtract(t.frames.helpers, 1));
  } else {
    notify(&t, sched::in_order::store(m.finished, number));
  }
}

/// A round of looks at the dock; what is in it.
std::uintptr_t look(const dock& d) noexcept {
  for (unsigned i = 0;; ++i) {
    const std::uintptr_t word = d.word.look();
    if (word != word_of_dock::waiting || i == looks_a_round) return word;
    real_atomics::pause();
  }
}

/// Helps with the tasks of the region that the worker has finished. True: there was one. The region
/// may end meanwhile, for a helper that nobody counts holds it back by the task only that it runs:
/// what it looks at behind that is fixed while the team exists, which is as long as the dock has
/// its owner.
bool help(team& t, member& m) noexcept {
  if (!t.has_tasks.load(std::memory_order_relaxed) || !run_one_task(m, may_run::anything))
    return false;
  while (run_one_task(m, may_run::anything)) {
  }
  sched::go_home();
  notify(&t);  // the primary may wait for the last of them
  return true;
}

enum class dock_wait { ended, lets_others_go };

/// Waits at the dock for what is posted, in `word` then; which is `away` when the worker has left
/// it. Else it is to let others go first.
dock_wait spin_at(dock& d, team& last, member& m, std::uintptr_t& word) noexcept {
  wait_account account(record::wait_reason::openmp_dock);
  spin_time time;
  for (unsigned round = 0;; ++round) {
    word = look(d);
    if (word != word_of_dock::waiting) return dock_wait::ended;
    if (account.look_for_tasks([&] { return help(last, m); })) time.start_again();
    sched::worker& w = *sched::current();
    w.tick();
    const bool thorough = round % rounds_between_thorough == rounds_between_thorough - 1;
    if (!wanted_elsewhere(w, thorough) && !time.is_over()) continue;
    if (ask_for_tasks(m)) return dock_wait::lets_others_go;
    if (!d.word.leave()) continue;
    word = word_of_dock::away;
    return dock_wait::ended;
  }
}

/// Waits at the dock. Returns the word that is posted, or `away`: the worker has left it.
std::uintptr_t wait_at(dock& d, team& last, member& m) noexcept {
  std::uintptr_t word;
  while (spin_at(d, last, m, word) == dock_wait::lets_others_go) {
    sched::yield();
    sched::go_home();
  }
  return word;
}

/// The worker at its dock, from a region that is posted until it leaves.
detail::suspended* run_dock(detail::frame* f) {
  dock& d = dock_of(f);
  sched::worker& w = *sched::current();  // here and below: the stack's home
  context::stack& stack = *w.face.stack;
  KASURI_EXPECT(cheap, w.client == nullptr && stack.home == nullptr,
                "worker %d comes to its dock with the client %p", d.index, w.client);
  stack.home = &w;
  w.is_home = true;
  sched::refresh_stack(w);
  std::uintptr_t posted = d.word.look();
  while (posted != word_of_dock::away) {
    team& t = posted_team(posted);
    KASURI_EXPECT(cheap, d.index > 0 && d.index < t.size, "worker %d of a team of %d", d.index,
                  t.size);
    member& m = *t.members[d.index];
    const bool helps = posted_to_help(posted);
    w.client = &m;
    if (helps)
      run_tasks_left(m);
    else
      run_member(m);
    sched::go_home();
    KASURI_EXPECT(cheap, &w == sched::current() && w.client == &m,
                  "member %d has run on worker %p and ends on %p", m.number, static_cast<void*>(&w),
                  static_cast<void*>(sched::current()));
    finish(d, t, m, helps);
    posted = wait_at(d, t, m);
  }
  w.client = nullptr;
  stack.home = nullptr;
  w.is_home = false;
  return nullptr;
}

}  // namespace

constinit const detail::frame_type dock_kind{run_dock, false, "OpenMP worker"};

}  // namespace kasuri::omp
