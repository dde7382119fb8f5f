// SPDX-License-Identifier: Apache-2.0
#include "omp/task/task_list.hpp"

#include <mutex>

#include "omp/task/task_record.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

void task_list::put(explicit_task& t) noexcept {
  const std::lock_guard hold(lock_);
  expect_ends();
  explicit_task* before = nullptr;
  if (last_ != nullptr && last_->priority >= t.priority) {
    before = last_;
  } else {
    for (explicit_task* at = first_; at != nullptr && at->priority >= t.priority; at = at->next())
      before = at;
  }
  if (before == nullptr) {
    t.set_next(first_);
    first_ = &t;
  } else {
    t.set_next(before->next());
    before->set_next(&t);
  }
  if (t.next() == nullptr) last_ = &t;
  KASURI_EXPECT(cheap, before == nullptr || before->priority >= t.priority, "priority %d behind %d",
                t.priority, before->priority);
  KASURI_EXPECT(cheap, t.next() == nullptr || t.next()->priority < t.priority,
                "priority %d before %d", t.priority, t.next()->priority);
  // release: pairs with the acquire in put_so_far: a member that sees it finds the task
  puts_.store(puts_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  // relaxed: before the fence in deliver() of omp/run/task_send.cpp
  count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

explicit_task* task_list::take(const task* of) noexcept {
  const std::lock_guard hold(lock_);
  explicit_task* before = nullptr;
  explicit_task* at = first_;
  while (at != nullptr && of != nullptr && !descends_from(*at, *of)) {
    before = at;
    at = at->next();
  }
  if (at == nullptr) return nullptr;
  if (before == nullptr)
    first_ = at->next();
  else
    before->set_next(at->next());
  KASURI_EXPECT(cheap, (last_ == at) == (at->next() == nullptr), "task %p, the last is %p",
                static_cast<void*>(at), static_cast<void*>(last_));
  if (last_ == at) last_ = before;
  count_.store(count_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  expect_ends();
  return at;
}

}  // namespace kasuri::omp
