// SPDX-License-Identifier: Apache-2.0
#include "omp/task/task_queue.hpp"

#include <new>

#include "omp/env/environment.hpp"
#include "omp/task/task_record.hpp"
#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
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

std::uint64_t worth_moving() noexcept {
  static const std::uint64_t ticks = platform::ticks_of_us(worth_moving_us);
  return ticks;
}

}  // namespace

static_assert(crowd < capacity, "a crowd fits in the deque");

task_queue::~task_queue() {
  KASURI_EXPECT(cheap, ended.of == nullptr, "%ld ends were not reported", ended.n);
  KASURI_EXPECT(cheap, group == nullptr && credits == 0, "%ld credits at the group %p", credits,
                static_cast<void*>(group));
  KASURI_EXPECT(cheap, own() == nullptr || own()->size() == 0, "%zu tasks are left", own()->size());
  [[maybe_unused]] int freed = 0;
  while (auto* const t = static_cast<explicit_task*>(spare)) {
    spare = t->next();
    free_task(*t);
    ++freed;
  }
  KASURI_EXPECT(cheap, freed == spares, "%d records were kept, and %d counted", freed, spares);
  if (words_ != nullptr) platform::release(words_, bytes_of_words);
}

bool task_queue::make() noexcept {
  KASURI_EXPECT(cheap, words_ == nullptr && own() == nullptr, "the deque %p is there already",
                static_cast<void*>(own()));
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

}  // namespace kasuri::omp
