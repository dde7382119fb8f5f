// SPDX-License-Identifier: Apache-2.0
#include "omp/run/own_queue.hpp"

#include "omp/run/wait.hpp"
#include "omp/team/team.hpp"
#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
#include "sched/kernel/publish.hpp"

namespace kasuri::omp {
namespace {

// At most so many tasks are published per request.
constexpr std::size_t most_published = 256;

/// The rule by which a member publishes (task_queue.hpp, Asking).
struct more_than_one {
  std::size_t most = most_published;
  static bool publishes(std::size_t n) noexcept { return n >= 2; }
  static bool answers(std::size_t n) noexcept { return n >= 2; }
  static bool give(detail::frame*) noexcept { return false; }
};

void tell_others(member& m) noexcept {
  m.tasks.give_notice();
  if (notify_tasks(m)) m.tasks.want_notice();  // for the next that sleeps
}

void answer(member& m, task_queue::deque& d) noexcept {
  task_queue& q = m.tasks;
  if (q.publishes_from != 0 && platform::ticks() < q.publishes_from) return;
  q.publishes_from = 0;
  // A single task stays private, but a member that sleeps is told of it.
  if (sched::answer_request(d, more_than_one{}) || (d.private_size() != 0 && q.notice_wanted()))
    tell_others(m);
}

}  // namespace

bool push_slow(member& m, task_queue::slot* at) noexcept {
  task_queue::deque* const d = m.tasks.own();
  KASURI_EXPECT(all, known_self() == &m, "member %d of %d is not the calling thread's", m.number,
                m.in->size);
  KASURI_EXPECT(cheap, (d == nullptr) == (at == nullptr), "deque %p, slot %p",
                static_cast<void*>(d), static_cast<void*>(at));
  if (d == nullptr) return false;
  if (d->refused(at)) {
    d->drop_refused();
    return false;
  }
  if (d->asked()) answer(m, *d);
  return true;
}

detail::frame* pop_task(member& m, bool above_mark_only) noexcept {
  KASURI_EXPECT(all, known_self() == &m, "member %d of %d is not the calling thread's", m.number,
                m.in->size);
  task_queue& q = m.tasks;
  task_queue::deque* const d = q.own();
  if (d == nullptr) return nullptr;
  if (above_mark_only && q.none_above_mark()) return nullptr;
  if (d->asked() && q.publishes_from == 0) answer(m, *d);
  if (detail::frame* f = d->pop_private()) return f;
  if (d->size() != 0) return d->pop_public();
  q.rewind(*d);
  return nullptr;
}

bool make_room(member& m) noexcept {
  task_queue& q = m.tasks;
  task_queue::deque* const d = q.own();
  if (d == nullptr) return q.make();
  if (!q.is_crowded(*d)) {
    answer(m, *d);  // so it was a request that brought us here
    return true;
  }
  if (!wants_more(m)) return false;
  q.begin_again(*d);
  return !q.is_crowded(*d);
}

bool wants_more(member& m) noexcept {
  task_queue::deque* const d = m.tasks.own();
  if (d == nullptr) return false;
  // Not when nothing is left for the thief: it would ask again at once.
  if (d->asked() && d->private_size() != 0) {
    sched::answer_with_all(*d);
    tell_others(m);
  }
  return m.tasks.calls_have_become_long() && d->size() == 0;
}

}  // namespace kasuri::omp
