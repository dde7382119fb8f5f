// SPDX-License-Identifier: Apache-2.0
#include "sched/run/gate.hpp"

#include <utility>

#include "platform/base/expect.hpp"
#include "record/wait_reason.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/ready.hpp"
#include "sched/run/loop.hpp"
#include "sched/run/suspend.hpp"
#include "sched/worker/range.hpp"

namespace kasuri::sched {
namespace {

/// w has a permit of `to`. Frames of other arenas may lie in its queue, and thieves leave the
/// private ones of a full arena alone: those become public first.
void begin_with(worker& w, arena_state* to) noexcept {
  if (w.queue.private_size() != 0) {
    w.queue.publish_all();
    real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
    w.home->work_is_visible();
  }
  w.face.arena = to;
  w.arena.set(to);
}

/// A frame that has waited tries again.
void pass_on(worker& w, detail::frame* f) noexcept {
  if (f->type == &ready_thread)
    make_ready(static_cast<suspended*>(f));
  else
    w.home->send(f);
}

/// The worker has given a permit back.
void follow(worker& w, const permits::given_back& back) noexcept {
  if (back.next != nullptr) return pass_on(w, back.next);
  if (!back.opened) return;
  // Thieves and sleepers have left the frames of the arena alone: pairs with the fence_heavy in
  // idle::prepare_sleep and with the fence_full in answer_thieves
  real_atomics::fence_full();
  w.home->work_is_visible();
}

/// In the child of a fork its one worker needs no permit: others of the parent have kept theirs.
bool is_alone(const worker& w) noexcept { return w.home->orphan() != nullptr; }

/// The thread that waits for a permit, and the arena.
bool publish_in_arena(void* arg, suspended* s) noexcept {
  auto* const to = static_cast<arena_state*>(arg);
  s->arena = to;
  s->on = to;
  return to->permits.wait_if_full(s);
}

/// Holds the permit of `to` in place of its own, if there is one. w is not alone.
bool change_at_once(worker& w, arena_state* to) noexcept {
  if (!to->permits.try_take()) return false;
  leave_arena(w);
  begin_with(w, to);
  return true;
}

}  // namespace

void give_permit_back(worker& w) noexcept {
  KASURI_EXPECT(cheap, current() == &w && w.face.arena != nullptr,
                "worker %d gives back the permit %p of worker %d", index_of_caller(),
                static_cast<void*>(w.face.arena), w.index);
  arena_state* const from = std::exchange(w.face.arena, nullptr);
  w.arena.set(nullptr);
  if (is_alone(w)) return;
  // `from` may be gone behind give_back.
  follow(w, from->permits.give_back());
}

void note_arrival(worker& w, arena_state* in, const detail::frame* f) noexcept {
  if (!is_alone(w)) follow(w, in->permits.arrived(f));
}

void pass_permit_on(worker& w, suspended* s) noexcept {
  KASURI_EXPECT(cheap, s->arena != nullptr && s->arena == w.face.arena,
                "worker %d passes a permit of %p on to a thread of %p", w.index,
                static_cast<void*>(w.face.arena), static_cast<void*>(s->arena));
  w.face.arena = nullptr;
  w.arena.set(nullptr);
  if (!is_alone(w)) s->arena->permits.promise(s);
}

bool admit_to(worker& w, arena_state* to, detail::frame* f) noexcept {
  KASURI_EXPECT(cheap, current() == &w && to != w.face.arena,
                "worker %d, in arena %p, is admitted to %p by worker %d", w.index,
                static_cast<void*>(w.face.arena), static_cast<void*>(to), index_of_caller());
  leave_arena(w);
  if (to == nullptr) return true;
  if (!is_alone(w) && !to->permits.take_or_wait(f)) {
    drop_next_range(w);
    return false;
  }
  begin_with(w, to);
  return true;
}

bool try_go_over(arena_state* to) noexcept {
  worker& w = *current();
  if (w.face.arena == to) return true;
  if (to == nullptr) return leave_arena(w), true;
  if (is_alone(w)) return begin_with(w, to), true;
  if (change_at_once(w, to)) return true;
  if (keeps_os_thread(w)) {  // nobody else can go on with it: it waits awake
    while (!change_at_once(w, to)) detail::yield_processor();
    return true;
  }
  if (!try_suspend(record::wait_reason::arena, publish_in_arena, to)) return false;
  KASURI_EXPECT(cheap, worker_now()->face.arena == to,
                "worker %d goes on in arena %p and not in %p", index_of_caller(),
                static_cast<void*>(worker_now()->face.arena), static_cast<void*>(to));
  return true;
}

void go_over(arena_state* to) noexcept {
  if (!try_go_over(to)) no_memory_for_stack();
}

}  // namespace kasuri::sched
