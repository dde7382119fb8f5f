// SPDX-License-Identifier: Apache-2.0
#include "sched/outside/outside_look.hpp"

#include <utility>

#include "platform/base/expect.hpp"

namespace kasuri::sched {

detail::frame* outside_look::look_in(worker& w) noexcept {
  if (door_.somebody_looks() && !door_.looks(w)) return nullptr;
  outside* const o = door_.enter(w);
  if (o == nullptr) return nullptr;
  KASURI_EXPECT(cheap, door_.looks(w), "worker at %p has the object %p and does not look",
                static_cast<void*>(&w), static_cast<void*>(o));
  if (!o->active()) {
    stop(w);
    return nullptr;
  }
  if (rest_ns_ != 0 && !o->glance()) return nullptr;
  rest_ns_ = 0;
  detail::frame* const f = o->look();
  if (f == nullptr) rest_ns_ = o->rest();
  return f;
}

void outside_look::stop(worker& w) noexcept {
  if (!door_.looks(w)) return;
  rest_ns_ = 0;
  door_.leave(w);
}

void outside_look::leave_it(worker& w) noexcept {
  KASURI_EXPECT(cheap, door_.looks(w), "worker at %p leaves, and does not look",
                static_cast<void*>(&w));
  if (outside* const o = door_.object()) o->leave();
  stop(w);
}

std::uint64_t outside_look::take_rest() noexcept { return std::exchange(rest_ns_, 0); }

bool outside_look::is_neglected() noexcept {
  bool neglected = false;
  door_.with(
      [this, &neglected](const outside& o) { neglected = !door_.somebody_looks() && o.active(); });
  return neglected;
}

}  // namespace kasuri::sched
