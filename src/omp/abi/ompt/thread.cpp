// SPDX-License-Identifier: Apache-2.0
#include "omp/tool/thread.hpp"

#include <mutex>

#include "omp/abi/ompt/info_of.hpp"
#include "omp/base/spin_lock.hpp"
#include "omp/profile/consumer.hpp"
#include "omp/team/root.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/race_detector.hpp"
#include "profile/base/active.hpp"

namespace kasuri::omp::tool {
namespace {

[[gnu::tls_model("initial-exec")]] thread_local constinit thread* this_thread = nullptr;

spin_lock lock;  // guards the list
thread* all = nullptr;

void enlist(thread& t) noexcept {
  const std::lock_guard hold(lock);
  KASURI_EXPECT(cheap, t.next == nullptr && t.previous == nullptr,
                "thread %p is in the list already", static_cast<void*>(&t));
  t.next = all;
  if (all != nullptr) all->previous = &t;
  all = &t;
}

void strike_off(thread& t) noexcept {
  const std::lock_guard hold(lock);
  KASURI_EXPECT(cheap, t.previous != nullptr ? t.previous->next == &t : all == &t,
                "thread %p is not in the list, the first is %p", static_cast<void*>(&t),
                static_cast<void*>(all));
  (t.previous != nullptr ? t.previous->next : all) = t.next;
  if (t.next != nullptr) t.next->previous = t.previous;
}

void begin_initial_task(root& r) noexcept {
  task_info& info = info_of(r.initial.implicit);
  info.flags = task_initial;
  on_implicit_task(endpoint::begin, &r.outside->tool.word, &info.word, 1, 1, task_initial);
}

void end_initial_task(root& r) noexcept {
  on_implicit_task(endpoint::end, nullptr, &info_of(r.initial.implicit).word, 0, 1, task_initial);
}

[[gnu::noinline]] thread& begin_thread() noexcept {
  auto* const t = new thread;
  t->of = known_root();
  t->kind = t->of != nullptr ? thread_kind::initial : thread_kind::worker;
  this_thread = t;
  enlist(*t);
  on_thread_begin(t->kind, &t->word);
  if (t->of != nullptr) begin_initial_task(*t->of);
  return *t;
}

/// The calling thread is t.
void end_thread(thread& t) noexcept {
  KASURI_EXPECT(cheap, this_thread == &t, "thread %p ends as %p", static_cast<void*>(&t),
                static_cast<void*>(this_thread));
  leave_last_barrier(t);
  if (t.of != nullptr) end_initial_task(*t.of);
  on_thread_end(&t.word);
}

}  // namespace

[[gnu::noinline]] thread* known_here() noexcept { return this_thread; }

thread& here() noexcept {
  thread* const t = known_here();
  return t != nullptr ? *t : begin_thread();
}

void leave_last_barrier(thread& t) noexcept {
  member* const m = t.in_last_barrier;
  if (m == nullptr) return;
  t.in_last_barrier = nullptr;
  t.now = state::idle;
  data* const task = &info_of(m->implicit).word;
  const auto size = static_cast<unsigned>(m->in->size);
  on_sync_region_wait(sync_kind::barrier_parallel, endpoint::end, nullptr, task, nullptr);
  on_sync_region(sync_kind::barrier_parallel, endpoint::end, nullptr, task, nullptr);
  on_implicit_task(endpoint::end, nullptr, task, size, static_cast<unsigned>(m->number),
                   task_implicit);
}

void begin_root(root& r) noexcept {
  if (told()) {
    here();
    info_of(r.initial.implicit).flags = task_initial;
  }
  if (profile::active()) sums::sums_of(*r.outside);
}

void end_root(root& r) noexcept {
  if (!told()) return;
  thread* const t = known_here();
  if (t == nullptr || t->of != &r) return;
  end_thread(*t);
  strike_off(*t);
  this_thread = nullptr;
  delete t;
}

void change_root(root& from, root& to) noexcept {
  if (profile::active()) sums::sums_of(*to.outside);
  thread* const t = known_here();
  if (t == nullptr || t->of != &from) return;
  t->of = &to;
  info_of(to.initial.implicit).flags = task_initial;
}

void end_all_threads() noexcept {
  thread* const mine = this_thread;
  thread* t = nullptr;
  {
    const std::lock_guard hold(lock);
    t = all;
  }
  for (; t != nullptr; t = t->next) {
    // Archer leaves a function on the calling thread's stack of calls for each end of an implicit
    // task: those of others would be taken off the caller's, which ThreadSanitizer does not
    // survive.
    if (t == mine || platform::race_detector_runs()) continue;
    this_thread = t;
    end_thread(*t);
  }
  this_thread = mine;
  if (mine != nullptr) end_thread(*mine);
}

}  // namespace kasuri::omp::tool
