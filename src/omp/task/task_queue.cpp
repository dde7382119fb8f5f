// SPDX-License-Identifier: Apache-2.0
#include "omp/task/task_queue.hpp"

#include <new>

#include "omp/env/environment.hpp"
#include "omp/run/wait.hpp"
#include "omp/task/task_record.hpp"
#include "omp/team/member.hpp"
#include "platform/base/clock.hpp"
#include "platform/memory/memory.hpp"

namespace kasuri::omp {
namespace {

// More than a crowd, for tasks that cannot be run at once; the address space is touched as used.
constexpr std::size_t capacity = std::size_t{64} << 10;
constexpr std::size_t bytes_of_words = (capacity + 2) * sizeof(task_queue::slot);
// Calls that a crowded member makes before it looks again whether thieves have made room; fewer
// when they seem to have become long, because an interrupt looks the same.
constexpr std::uint32_t calls_between_looks = 32;
constexpr std::uint32_t calls_to_be_sure = 4;
// A task that takes less is not worth moving: several cache lines go to the thief and back.
constexpr double worth_moving_us = 0.1;
// At most so many tasks are published per request.
constexpr std::size_t most_published = 256;

std::uint64_t worth_moving() noexcept {
  static const std::uint64_t ticks = platform::ticks_of_us(worth_moving_us);
  return ticks;
}

}  // namespace

task_queue::~task_queue() {
  while (auto* const t = static_cast<explicit_task*>(spare)) {
    spare = t->next();
    free_task(*t);
  }
  if (words_ != nullptr) platform::release(words_, bytes_of_words);
}

bool task_queue::make() noexcept {
  words_ = platform::reserve(bytes_of_words);
  if (words_ == nullptr) return false;
  const std::size_t most = environment().task_throttling ? crowd : capacity;
  deque* const d = new (room_for_deque_) deque(face_, static_cast<slot*>(words_), capacity, most);
  crowded_from_ = face_.limit.load(std::memory_order_relaxed);
  if (wanted_.load(std::memory_order_relaxed)) d->ask();
  // release: pairs with the acquire in shared
  deque_.store(d, std::memory_order_release);
  return true;
}

bool task_queue::make_room(member& m) noexcept {
  deque* const d = deque_.load(std::memory_order_relaxed);
  if (d == nullptr) return make();
  if (!d->crowded(face_.top.load(std::memory_order_relaxed))) {
    answer(m);  // so it was a request that brought us here
    return true;
  }
  if (!wants_more(m)) return false;
  calls_left_ = 0;
  d->rewind();
  mark_ = nullptr;
  return !d->crowded(face_.top.load(std::memory_order_relaxed));
}

bool task_queue::wants_more(member& m) noexcept {
  deque* const d = deque_.load(std::memory_order_relaxed);
  if (d == nullptr) return false;
  // Not when nothing is left for the thief: it would ask again at once.
  if (d->asked() && d->private_size() != 0) {
    d->publish_all();  // the owner will not be back for them soon
    d->answer();
    tell_others(m);
  }
  return calls_have_become_long() && d->size() == 0;
}

bool task_queue::calls_have_become_long() noexcept {
  const std::uint64_t now = platform::ticks();
  const bool longer = now - last_look_ >= calls_in_a_row_ * worth_moving();
  last_look_ = now;
  const bool sure = longer && seemed_long_;
  calls_in_a_row_ = longer && !sure ? calls_to_be_sure : calls_between_looks;
  calls_left_ = calls_in_a_row_ - 1;
  seemed_long_ = longer;
  return sure;
}

bool task_queue::push_slow(member& m, slot* at) noexcept {
  deque* const d = deque_.load(std::memory_order_relaxed);
  if (d == nullptr) return false;
  if (d->refused(at)) {
    d->drop_refused();
    return false;
  }
  if (d->asked()) answer(m);
  return true;
}

void task_queue::answer(member& m) noexcept {
  if (publishes_from != 0 && platform::ticks() < publishes_from) return;
  publishes_from = 0;
  deque* const d = deque_.load(std::memory_order_relaxed);
  const std::size_t n = d->private_size();
  if (n >= 2) {
    const std::size_t half = (n + 1) / 2;
    d->publish(half < most_published ? half : most_published);
    d->answer();
  } else if (n == 0 || !wanted_.load(std::memory_order_relaxed)) {
    return;
  }
  tell_others(m);
}

void task_queue::tell_others(member& m) noexcept {
  wanted_.store(false, std::memory_order_relaxed);
  if (notify_tasks(m)) want_notice();  // for the next that sleeps
}

detail::frame* task_queue::pop(member& m, bool above_mark_only) noexcept {
  deque* const d = deque_.load(std::memory_order_relaxed);
  if (d == nullptr) return nullptr;
  if (above_mark_only && face_.top.load(std::memory_order_relaxed) <= mark_) return nullptr;
  if (d->asked() && publishes_from == 0) answer(m);
  if (detail::frame* f = d->pop_private()) return f;
  if (d->size() != 0) return d->pop_public();
  d->rewind();
  mark_ = nullptr;
  return nullptr;
}

}  // namespace kasuri::omp
