// SPDX-License-Identifier: Apache-2.0
#pragma once

// How thieves ask the owner of a deque for work, and how many frames it may queue. One word serves
// both: a push takes the slow path from the slot `limit` on, and a thief that asks stores null
// there.
//
//   limit == soft   the usual: pushes are fast up to so many frames
//   limit == first  the first slot, where a profile is recorded: each push takes the slow path, and
//                   no thief asks
//   limit == null   some thief asks, or all pushes are held on the slow path; the owner's next push
//                   comes to its answer (publish.hpp), which puts the usual limit back
//
// A request has no order: the owner's push is behind a fence_light, and a thief that sleeps behind
// its request passes a heavy one before it looks a last time (idle.hpp).

#include <cstddef>
#include <utility>

#include "kasuri/detail/deque_face.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::sched {

template <class A>
class deque_request {
 public:
  using face_type = detail::deque_face<A>;
  using slot = typename face_type::slot;

  // ---- owner ----------------------------------------------------------------------------------

  /// Whether the owner has queued as many frames as the settings allow.
  bool crowded(slot* at) const noexcept { return at >= soft_; }

  /// Answers a thief: no request is pending any more. Check for sleepers after it, behind a full
  /// fence.
  void answer() noexcept {
    face_.asker.store(nullptr, std::memory_order_relaxed);
    face_.limit.store(usual_limit_, std::memory_order_relaxed);
  }

  /// From here on every push takes the slow path, resp. only those that did before.
  void hold(bool all) noexcept {
    KASURI_EXPECT(cheap, face_.limit.load(std::memory_order_relaxed) == usual_limit_ || asked(),
                  "limit %p, neither null nor the usual one %p",
                  static_cast<void*>(face_.limit.load(std::memory_order_relaxed)),
                  static_cast<void*>(usual_limit_));
    usual_limit_ = all ? nullptr : unheld_;
    if (all) face_.limit.store(nullptr, std::memory_order_relaxed);
  }

  // ---- anybody --------------------------------------------------------------------------------

  /// Asks the owner to publish at its next push. True when this call asked, false when somebody
  /// had asked before and the owner has not answered yet.
  bool ask() noexcept {
    if (face_.limit.load(std::memory_order_relaxed) == nullptr) return false;
    face_.limit.store(nullptr, std::memory_order_relaxed);
    return true;
  }

  /// The same, and the owner's answer may be given to `who`.
  void ask_for(void* who) noexcept {
    KASURI_EXPECT(cheap, who != nullptr, "a request for nobody, limit %p",
                  static_cast<void*>(face_.limit.load(std::memory_order_relaxed)));
    // release: pairs with the acquire in asker
    face_.asker.store(who, std::memory_order_release);
    ask();
  }

  /// The thief that awaits the owner's answer, or null.
  void* asker() const noexcept {
    // acquire: pairs with the release in ask_for: a worker may ask right after it was made
    return face_.asker.load(std::memory_order_acquire);
  }

  /// Whether a request is still unanswered.
  bool asked() const noexcept { return face_.limit.load(std::memory_order_relaxed) == nullptr; }

 protected:
  deque_request(face_type& face, slot* soft) noexcept : face_(face), soft_(soft) {
    face_.limit.store(soft_, std::memory_order_relaxed);
  }

  /// Pushes from `slot` on take the slow path, where they are not all held. A thief's request
  /// stays.
  void slow_from(slot* first) noexcept {
    if (first == unheld_) return;
    slot* before = std::exchange(unheld_, first);
    if (usual_limit_ == nullptr) return;
    usual_limit_ = first;
    // relaxed: as every store of limit
    face_.limit.compare_exchange_strong(before, first, std::memory_order_relaxed,
                                        std::memory_order_relaxed);
  }
  slot* soft() const noexcept { return soft_; }

  face_type& face_;

 private:
  slot* const soft_;
  slot* unheld_ = soft_;       // the limit unless all pushes are held
  slot* usual_limit_ = soft_;  // answers put this back
};

}  // namespace kasuri::sched
