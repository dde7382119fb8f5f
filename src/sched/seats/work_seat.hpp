// SPDX-License-Identifier: Apache-2.0
#pragma once

// Frames that the worker has queued itself. The owner pushes and pops; thieves take from the deque
// and the ring as their headers say.

#include <cstddef>

#include "kasuri/detail/self.hpp"
#include "sched/kernel/deque.hpp"
#include "sched/kernel/ready_ring.hpp"

namespace kasuri::sched {

using detail::real_atomics;

struct work_seat {
  work_seat(detail::worker_slot* slots, std::size_t capacity, std::size_t soft) noexcept
      : queue(face, slots, capacity, soft) {}

  // The inlined code knows a worker by the address of its face.
  detail::worker_face face;
  deque<real_atomics> queue;
  ready_ring<real_atomics> ready;
};

}  // namespace kasuri::sched
