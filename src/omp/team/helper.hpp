// SPDX-License-Identifier: Apache-2.0
#pragma once

// Helpers: members that have finished the region and come back to it for tasks. A thread that
// queues tasks sends for them.

#include "kasuri/detail/join.hpp"
#include "omp/team/team.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

/// Queues a member that nobody has begun, or a helper, on the calling worker.
inline void push_frame(member& m) noexcept {
  KASURI_EXPECT(cheap, m.engaged.load(std::memory_order_relaxed) && m.number > m.in->docked(),
                "the frame of member %d, %d are docked, engaged %d", m.number, m.in->docked(),
                m.engaged.load(std::memory_order_relaxed));
  detail::worker_face* const face = detail::self();
  if (face->arena != nullptr) [[unlikely]]
    return detail::spawn_slow(&m.start);  // members belong to no arena
  detail::spawn_detached(face, &m.start);
}

/// A member that has finished the region is to come back and run tasks; one of that node where it
/// is not negative. False: there is none.
bool send_for_helper(team& t, int node = -1) noexcept;

}  // namespace kasuri::omp
