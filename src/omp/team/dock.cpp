// SPDX-License-Identifier: Apache-2.0
#include "omp/team/dock.hpp"

#include "omp/region/region_member.hpp"
#include "omp/run/tasks.hpp"
#include "omp/run/wait.hpp"
#include "omp/team/root.hpp"
#include "omp/wait/shared_cores.hpp"
#include "omp/wait/spin_time.hpp"
#include "omp/wait/wait_account.hpp"
#include "platform/base/clock.hpp"
#include "sched/pool/pool.hpp"
#include "sched/run/suspend.hpp"
#include "sched/worker/fresh_stack.hpp"

namespace kasuri::omp {
namespace {

using detail::real_atomics;

using word_of_dock = dock_word<real_atomics>;

constexpr std::uintptr_t to_help = 2;  // besides the team

team& team_in(std::uintptr_t word) noexcept { return *reinterpret_cast<team*>(word & ~to_help); }

constexpr unsigned looks_a_round = 32;
constexpr unsigned rounds_between_thorough = 4;

std::atomic<bool> claimed{false};

detail::suspended* run_dock(detail::frame* f);
constexpr detail::frame_type dock_kind{run_dock, false, "OpenMP worker"};

dock& dock_of(detail::frame* f) noexcept {
  return *reinterpret_cast<dock*>(reinterpret_cast<std::byte*>(f) - offsetof(dock, start));
}

/// The worker has finished the region, or what it was sent for: more may be posted.
void finish(dock& d, team& t, member& m, bool helped) noexcept {
  const std::uint64_t number = t.region.load(std::memory_order_relaxed);
  d.word.stand();
  if (helped) {
    // release: pairs with the acquire in send_for_docked, for the word
    m.comes_back.store(false, std::memory_order_release);
    notify(&t, sched::in_order::subtract(t.helpers, 1));
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

/// Helps with the tasks of the region that the worker has finished. True: there was one.
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

/// Waits at the dock. What is posted, or `away`: the worker has left it.
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
  stack.home = &w;
  sched::refresh_stack(w);
  std::uintptr_t posted = d.word.look();
  while (posted != word_of_dock::away) {
    team& t = team_in(posted);
    member& m = *t.members[d.index];
    const bool helps = (posted & to_help) != 0;
    w.client = &m;
    if (helps)
      run_tasks_left(m);
    else
      run_member(m);
    sched::go_home();
    finish(d, t, m, helps);
    posted = wait_at(d, t, m);
  }
  w.client = nullptr;
  stack.home = nullptr;
  return nullptr;
}

}  // namespace

void docks::make_docks() {
  count_ = pool_.configured() - 1;
  docks_.reset(new dock[static_cast<std::size_t>(count_) + 1]);
  for (int i = 0; i <= count_; ++i) {
    docks_[static_cast<std::size_t>(i)].start.type = &dock_kind;
    docks_[static_cast<std::size_t>(i)].start.in = nullptr;
    docks_[static_cast<std::size_t>(i)].index = i;
  }
}

docks* docks::claim(sched::pool& pool) noexcept {
  // acquire: pairs with the release in release: the workers of the last owner are its no more
  if (claimed.exchange(true, std::memory_order_acquire)) return nullptr;
  // One set for each pool: in the child of a fork the old workers are gone.
  static docks* all = nullptr;
  if (all == nullptr || &all->pool_ != &pool) all = new docks(pool);
  ++all->owner_;
  return all;
}

/// Whoever was posted for a later owner has finished that region.
bool docks::somebody_stands_at(const root& r) const noexcept {
  for (int i = 1; i <= count_; ++i) {
    const dock& d = docks_[static_cast<std::size_t>(i)];
    if (d.owner == r.as_owner && d.word.look() != word_of_dock::away) return true;
  }
  return false;
}

void docks::retire(root& r) noexcept {
  r.as_owner = owner_;
  r.next_retired = retired_;
  retired_ = &r;
  for (root** at = &retired_; *at != nullptr;) {
    root* const former = *at;
    if (somebody_stands_at(*former)) {
      at = &former->next_retired;
      continue;
    }
    *at = former->next_retired;
    free_root(*former);
  }
}

void docks::release() noexcept {
  // release: pairs with the acquire in claim
  claimed.store(false, std::memory_order_release);
}

bool docks::has_thread_for(int i) noexcept {
  return i <= count_ && pool_.has_thread_for(*pool_.at(i));
}

bool docks::post(int i, team& t) noexcept {
  docks_[static_cast<std::size_t>(i)].owner = owner_;
  return post_word(i, reinterpret_cast<std::uintptr_t>(&t));
}

bool docks::post_helper(int i, team& t) noexcept {
  return post_word(i, reinterpret_cast<std::uintptr_t>(&t) | to_help);
}

bool docks::post_word(int i, std::uintptr_t word) noexcept {
  dock& d = docks_[static_cast<std::size_t>(i)];
  if (d.word.post(word)) return true;
  sched::worker& w = *pool_.at(pool_.on_line(i));
  const bool had_thread = w.has_thread.load(std::memory_order_relaxed);
  if (pool_.deliver(w, &d.start)) {
    if (!had_thread && w.has_thread.load(std::memory_order_relaxed)) [[unlikely]]
      cores_are_shared.thread_starts(platform::ticks());
    return true;
  }
  d.word.take_back();
  return false;
}

}  // namespace kasuri::omp
