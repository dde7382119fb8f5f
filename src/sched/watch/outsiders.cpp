// SPDX-License-Identifier: Apache-2.0
#include "sched/watch/outsiders.hpp"

#include <unwind.h>

#include <cstdint>
#include <memory>

#include "platform/thread/mutex.hpp"
#include "platform/thread/os_thread.hpp"

namespace kasuri::sched {
namespace {

constinit platform::mutex list_lock;

/// What the caller's stack shows.
struct walk {
  std::span<const void*> calls;
  std::size_t found = 0;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* frame, void* arg) noexcept {
  auto& w = *static_cast<walk*>(arg);
  int before_instruction = 0;
  const auto address = _Unwind_GetIPInfo(frame, &before_instruction);
  if (address == 0 || w.found == w.calls.size()) return _URC_END_OF_STACK;
  // A return address may be the first of the next function: the call lies before it.
  w.calls[w.found++] = reinterpret_cast<const void*>(address - (before_instruction != 0 ? 0 : 1));
  return _URC_NO_REASON;
}

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
  walk w{calls_};
  _Unwind_Backtrace(visit_frame, &w);
  lock();
  count_ = w.found;
  unlock();
}

void forget_outsiders() noexcept {
  std::construct_at(&list_lock);
  outsider::first_ = nullptr;
}

}  // namespace kasuri::sched
