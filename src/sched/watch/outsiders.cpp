// SPDX-License-Identifier: Apache-2.0
#include "sched/watch/outsiders.hpp"

#include <memory>

#include "context/backtrace.hpp"
#include "platform/thread/mutex.hpp"
#include "platform/thread/os_thread.hpp"

namespace kasuri::sched {
namespace {

constinit platform::mutex list_lock;

}  // namespace

constinit outsider* outsider::first_ = nullptr;

void outsider::lock() noexcept { list_lock.lock(); }
void outsider::unlock() noexcept { list_lock.unlock(); }

outsider::outsider(const suspended& record) noexcept
    : record_(record), thread_id_(platform::thread_id()) {
  lock();
  next_ = first_;
  if (next_ != nullptr) next_->before_ = this;
  first_ = this;
  unlock();
}

outsider::~outsider() {
  lock();
  (before_ != nullptr ? before_->next_ : first_) = next_;
  if (next_ != nullptr) next_->before_ = before_;
  unlock();
}

void outsider::note_calls() noexcept {
  const std::size_t found = context::backtrace_of_caller(calls_);
  lock();
  count_ = found;
  unlock();
}

void forget_outsiders() noexcept {
  std::construct_at(&list_lock);
  outsider::first_ = nullptr;
}

}  // namespace kasuri::sched
