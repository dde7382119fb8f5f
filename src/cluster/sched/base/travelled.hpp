// SPDX-License-Identifier: Apache-2.0
#pragma once

// Closures of other ranks that are to run here, and the memory in which they lie.
//
//   take()  --> a thief or the inbox fills it --> it runs --> give_back()
//
// A store keeps all that it has ever made: as many as have run here at a time. `lock_` guards the
// list of those that are free.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "cluster/sched/wire/layout.hpp"
#include "cluster/sched/wire/outbox_word.hpp"
#include "kasuri/detail/frame.hpp"
#include "platform/base/expect.hpp"
#include "platform/thread/mutex.hpp"

namespace kasuri::cluster {

class scheduler;

/// A closure of another rank that is to run here. Being a frame, it can go where the pool's tasks
/// go.
struct travelled : kasuri::detail::frame {
  layout::parcel head;
  alignas(64) std::array<std::byte, outbox_word::largest> slot;
  scheduler* here = nullptr;
  std::uint64_t since = 0;  // when the look for it began
  travelled* next = nullptr;

  void* closure() noexcept { return slot.data() + layout::closure_at; }
};

class travelled_store {
 public:
  /// `of`: the scheduler that runs them, or null for tests.
  explicit travelled_store(scheduler* of) noexcept : of_(of) {}

  travelled* take() {
    const std::lock_guard hold(lock_);
    if (free_ == nullptr) {
      all_.push_back(std::make_unique<travelled>());
      free_ = all_.back().get();
      free_->here = of_;
    }
    travelled* const t = free_;
    free_ = t->next;
    t->next = nullptr;
    return t;
  }

  void give_back(travelled* t) noexcept {
    const std::lock_guard hold(lock_);
    KASURI_EXPECT(cheap, t->here == of_ && t->next == nullptr,
                  "a closure from rank %d goes to the store of another scheduler, or is free",
                  t->head.from);
    t->next = free_;
    free_ = t;
  }

 private:
  scheduler* const of_;
  platform::mutex lock_;  // guards the next two
  travelled* free_ = nullptr;
  std::vector<std::unique_ptr<travelled>> all_;
};

}  // namespace kasuri::cluster
