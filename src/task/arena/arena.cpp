// SPDX-License-Identifier: Apache-2.0
// The arenas of the program: their records, and how a task comes in and leaves. What workers do
// with them is sched/arena/arena_state.hpp and sched/run/gate.hpp.
//
// The record of an arena is used again for a later one, and never freed: thieves look at the arenas
// of workers that may have left them. It is free when no task of the arena is left and all permits
// are back; a worker gives its own back some steps after its last task there.

#include "kasuri/arena.hpp"

#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "platform/base/bounds.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/thread/mutex.hpp"
#include "sched/arena/arena_state.hpp"
#include "sched/pool/ready.hpp"
#include "sched/run/gate.hpp"
#include "sched/run/suspend.hpp"
#include "sched/worker/worker.hpp"
#include "task/arena/arena_end.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

struct arena_record : arena_state {
  /// The tasks that nobody else counts: those that were enqueued, of futures, threads.
  group tasks{this, nullptr};
  /// The tasks that are in execute.
  std::atomic<int> inside{0};
  arena_record* next_free = nullptr;
};

namespace {

/// The records of arenas that have ended.
class free_arenas {
 public:
  arena_record* take() {
    {
      const std::lock_guard hold(lock_);
      if (first_ != nullptr) return std::exchange(first_, first_->next_free);
    }
    return new arena_record;
  }
  void put(arena_record& a) noexcept {
    const std::lock_guard hold(lock_);
    a.next_free = std::exchange(first_, &a);
  }

 private:
  platform::mutex lock_;
  arena_record* first_ = nullptr;
};

constinit free_arenas records;

arena_record& record_of(arena_state* a) noexcept { return *static_cast<arena_record*>(a); }

arena_record* begin(int most, priority p) {
  arena_record* const a = records.take();
  KASURI_EXPECT(cheap, a->tasks.idle() && a->inside.load(std::memory_order_relaxed) == 0,
                "arena %p is free, with %d tasks inside", static_cast<void*>(a),
                a->inside.load(std::memory_order_relaxed));
  sched::begin_arena(*a, most, p);
  return a;
}

}  // namespace

arena_record* make_arena(int max_workers, priority p) {
  if (max_workers < 1 || max_workers > platform::most_workers)
    throw std::invalid_argument("kasuri::arena: max_workers = " + std::to_string(max_workers) +
                                "; accepted: 1 to " + std::to_string(platform::most_workers));
  return begin(max_workers, p);
}

arena_record* make_arena_without_bound(priority p) { return begin(sched::permits::no_bound, p); }

void end_arena(arena_record* a) noexcept {
  switch (task::try_end_arena(*a)) {
    case task::arena_end::by_its_own_task:
      platform::fatal("arena: destroyed by a task of its own");
    case task::arena_end::tasks_inside:
      platform::fatal("arena: destroyed while tasks are in its execute: %d",
                      a->inside.load(std::memory_order_relaxed));
    case task::arena_end::no_memory:
      group::cannot_wait();
    case task::arena_end::ended:
      break;
  }
}

group& tasks_of(arena_record& a) noexcept { return a.tasks; }

arena_state* state_of(arena_record& a) noexcept { return &a; }

int most_workers_in(const arena_record& a) noexcept {
  const int most = a.permits.most();
  return most == sched::permits::no_bound ? num_workers() : most;
}

arena_state* arena_of_priority(priority p) {
  // Never freed, since static destructors may use them.
  if (p == priority::normal) return nullptr;
  if (p == priority::low) {
    static arena_state* const low = make_arena_without_bound(priority::low);
    return low;
  }
  static arena_state* const high = make_arena_without_bound(priority::high);
  return high;
}

scope* begin_task_in(arena_state* a) noexcept {
  arena_record& r = record_of(a);
  r.tasks.add(self());
  return &r.tasks;
}

void end_task_in(arena_state* a) noexcept {
  if (suspended* const waiter = record_of(a).tasks.finish_one(self())) sched::make_ready(waiter);
}

arena_visit::arena_visit(arena_record& a) {
  worker_face* const face = self();
  before_ = face->arena;
  if (before_ == &a) return;
  a.inside.fetch_add(1, std::memory_order_relaxed);
  here_.parent = face->current;
  here_.arena = &a;
  if (!sched::try_go_over(&a)) {
    a.inside.fetch_sub(1, std::memory_order_relaxed);
    throw std::bad_alloc();
  }
  in_ = &a;
  current_scope(&here_);
}

arena_visit::~arena_visit() {
  if (in_ == nullptr) return;
  current_scope(here_.parent);
  sched::go_over(before_);
  // release: pairs with the acquire in end_arena
  in_->inside.fetch_sub(1, std::memory_order_release);
}

}  // namespace detail

task::arena_end task::try_end_arena(detail::arena_record& a) noexcept {
  const detail::worker_face* const face = detail::self();
  if (face != nullptr && face->arena == &a) return arena_end::by_its_own_task;
  // acquire: pairs with the release in ~arena_visit
  if (a.inside.load(std::memory_order_acquire) != 0) return arena_end::tasks_inside;
  if (!a.tasks.wait_all()) return arena_end::no_memory;
  for (unsigned round = 0; !a.permits.at_rest(); ++round) detail::real_atomics::backoff(round);
  detail::records.put(a);
  return arena_end::ended;
}

}  // namespace kasuri
