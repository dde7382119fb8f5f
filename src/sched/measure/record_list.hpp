// SPDX-License-Identifier: Apache-2.0
#pragma once

// Records that a worker makes and drops all the time, kept for the next use.

#include <new>
#include <utility>

namespace kasuri::sched {

template <class T>
class record_list {
 public:
  /// As new; null: no memory.
  T* make() noexcept {
    if (first_ == nullptr) {
      void* const memory = ::operator new(sizeof(room), std::nothrow);
      return memory == nullptr ? nullptr : new (memory) T;
    }
    room* const r = std::exchange(first_, first_->next);
    --count_;
    return new (r) T;
  }

  /// One that this or another list has made.
  void drop(T* what) noexcept {
    what->~T();
    if (count_ == most) return ::operator delete(what);
    first_ = new (what) room{first_};
    ++count_;
  }

 private:
  static constexpr unsigned most = 256;
  union room {
    room* next;
    alignas(T) unsigned char bytes[sizeof(T)];
  };
  room* first_ = nullptr;
  unsigned count_ = 0;
};

}  // namespace kasuri::sched
