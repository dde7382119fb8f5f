// SPDX-License-Identifier: Apache-2.0
#include "omp/run/own_queue.hpp"

#include "omp/run/wait.hpp"
#include "platform/base/clock.hpp"

namespace kasuri::omp {
namespace {

// At most so many tasks are published per request.
constexpr std::size_t most_published = 256;

void tell_others(member& m) noexcept {
  m.tasks.give_notice();
  if (notify_tasks(m)) m.tasks.want_notice();  // for the next that sleeps
}

void answer(member& m, task_queue::deque& d) noexcept {
  task_queue& q = m.tasks;
  if (q.publishes_from != 0 && platform::ticks() < q.publishes_from) return;
  q.publishes_from = 0;
  const std::size_t n = d.private_size();
  if (n >= 2) {
    const std::size_t half = (n + 1) / 2;
    d.publish(half < most_published ? half : most_published);
    d.answer();
  } else if (n == 0 || !q.notice_wanted()) {
    return;
  }
  tell_others(m);
}

}  // namespace

bool push_slow(member& m, task_queue::slot* at) noexcept {
  task_queue::deque* const d = m.tasks.own();
  if (d == nullptr) return false;
  if (d->refused(at)) {
    d->drop_refused();
    return false;
  }
  if (d->asked()) answer(m, *d);
  return true;
}

detail::frame* pop_task(member& m, bool above_mark_only) noexcept {
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
    d->publish_all();  // the owner will not be back for them soon
    d->answer();
    tell_others(m);
  }
  return m.tasks.calls_have_become_long() && d->size() == 0;
}

}  // namespace kasuri::omp
