// SPDX-License-Identifier: Apache-2.0
// Locks for sources that take theirs as a parameter.
#pragma once

#include "explorer/atomic.hpp"

namespace kasuri::model {

template <class A>
class model_lock {
 public:
  void lock() {
    // acquire: pairs with the release in unlock
    while (taken_.exchange(true, std::memory_order_acquire)) A::pause();
  }
  // release: pairs with the acquire in lock
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  typename A::template atomic<bool> taken_{false};
};

/// Notes each section as an access to plain data, so that two sections at once are a race.
template <bool works>
class checked_lock {
 public:
  void lock() {
    if (works) lock_.lock();
    sections_ = sections_ + 1;
  }
  void unlock() {
    if (works) lock_.unlock();
  }

 private:
  model_lock<atomics> lock_;
  plain<int> sections_{0};
};

}  // namespace kasuri::model
