// SPDX-License-Identifier: Apache-2.0
#pragma once

// The threads that are no workers and wait for an object, for those who list what waits.
//
//   enters the list --> waits --(has waited for KASURI_DEADLOCK seconds)--> has noted its calls
//
// Nobody can walk the stack of another OS thread. So each notes the functions in which it stands
// itself, once it has waited for so long that somebody may ask.

#include <array>
#include <cstddef>
#include <span>

#include "sched/kernel/suspended.hpp"

namespace kasuri::sched {

class outsider {
 public:
  /// The caller is about to wait by `record`, which others wake.
  explicit outsider(const suspended& record) noexcept;
  ~outsider();
  outsider(const outsider&) = delete;
  outsider& operator=(const outsider&) = delete;

  /// For the thread itself.
  void note_calls() noexcept;
  [[nodiscard]] bool has_noted() const noexcept { return count_ != 0; }

  [[nodiscard]] const suspended& record() const noexcept { return record_; }
  [[nodiscard]] int thread_id() const noexcept { return thread_id_; }
  /// Addresses of its calls, innermost first; none before note_calls().
  [[nodiscard]] std::span<const void* const> calls() const noexcept {
    return std::span(calls_).first(count_);
  }

 private:
  template <class Visit>
  friend void for_each_outsider(Visit visit) noexcept;
  friend void forget_outsiders() noexcept;

  static void lock() noexcept;
  static void unlock() noexcept;
  static outsider* first_;

  const suspended& record_;
  const int thread_id_;
  std::size_t count_ = 0;
  std::array<const void*, 48> calls_{};
  outsider* next_ = nullptr;
  outsider* before_ = nullptr;
};

/// Calls visit(outsider) for each that waits now; they stay meanwhile.
template <class Visit>
void for_each_outsider(Visit visit) noexcept {
  outsider::lock();
  for (const outsider* o = outsider::first_; o != nullptr; o = o->next_) visit(*o);
  outsider::unlock();
}

/// In the child of a fork they are gone.
void forget_outsiders() noexcept;

}  // namespace kasuri::sched
