// SPDX-License-Identifier: Apache-2.0
#pragma once

// Looking for work outside of the process: one worker at a time does (outside.hpp), through the
// door by which the object may be taken away meanwhile (kernel/outside_door.hpp).

#include <cstdint>

#include "kasuri/detail/atomics.hpp"
#include "kasuri/detail/frame.hpp"
#include "sched/kernel/outside_door.hpp"
#include "sched/outside/outside.hpp"

namespace kasuri::sched {

struct worker;

class outside_look {
 public:
  void open(outside& o) noexcept { door_.open(o); }
  /// Returns when nobody looks there.
  void end() noexcept {
    door_.end([](outside& o) { o.interrupt(); });
  }
  bool is_open() const noexcept { return door_.is_open(); }

  /// A frame, if nobody else of this process looks there; or null.
  detail::frame* look(worker& w) noexcept {
    if (!door_.is_open() && !door_.looks(w)) [[likely]]
      return nullptr;
    return look_in(w);
  }

  /// Whether `w` is the one that looks there.
  bool looks(const worker& w) const noexcept { return door_.looks(w); }
  /// `w` looks there no more: it ends, sleeps or steps aside.
  void stop(worker& w) noexcept;
  /// ... because it has found a frame.
  void leave(worker& w) noexcept {
    if (door_.looks(w)) [[unlikely]]
      leave_it(w);
  }

  /// For the one that looks: the object, or null when it was taken away; and for how long it need
  /// not look (ns).
  outside* object() const noexcept { return door_.object(); }
  std::uint64_t take_rest() noexcept;

  /// Whether there may be work and nobody looks for it.
  bool is_neglected() noexcept;

  /// use(object), if there is one; it stays until that returns.
  template <class Use>
  void with(Use use) noexcept {
    door_.with(use);
  }

 private:
  detail::frame* look_in(worker& w) noexcept;
  void leave_it(worker& w) noexcept;

  outside_door<detail::real_atomics, outside, worker> door_;
  std::uint64_t rest_ns_ = 0;  // of the one that looks there, its own
};

}  // namespace kasuri::sched
