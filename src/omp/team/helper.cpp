// SPDX-License-Identifier: Apache-2.0
#include "omp/team/helper.hpp"

#include "omp/team/root.hpp"
#include "omp/wait/notify.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {
namespace {

/// A docked member that has finished the region is to come back. False: it has not, or is on its
/// way.
bool send_for_docked(team& t, member& m) noexcept {
  // acquire: pairs with the store at the dock
  if (m.finished.load(std::memory_order_acquire) != t.region.load(std::memory_order_relaxed))
    return false;
  // acquire: pairs with the release in finish, for the dock's word
  if (m.comes_back.exchange(true, std::memory_order_acquire)) return false;
  t.frames.helpers.fetch_add(1, std::memory_order_relaxed);
  KASURI_EXPECT(cheap, m.of->workers != nullptr && t.nest.level == 1,
                "member %d is docked at level %d, docks %p", m.number, t.nest.level,
                static_cast<void*>(m.of->workers));
  // Its thread is there, since it has run the region; but it may be in a foreign call.
  if (m.of->workers->post_helper(m.number, t)) return true;
  // release: pairs with the acquire above
  m.comes_back.store(false, std::memory_order_release);
  notify(&t, sched::in_order::subtract(t.frames.helpers, 1));
  return false;
}

/// The same for one that was a frame.
bool send_for_frame(team& t, member& m) noexcept {
  if (m.engaged.load(std::memory_order_relaxed)) return false;
  // acquire: pairs with the release at the end of the frame
  if (m.engaged.exchange(true, std::memory_order_acquire)) return false;
  t.frames.helpers.fetch_add(1, std::memory_order_relaxed);
  KASURI_EXPECT(cheap, !m.helps, "member %d helps already", m.number);
  m.helps = true;
  push_frame(m);
  return true;
}

}  // namespace

bool send_for_helper(team& t, int node) noexcept {
  if (sched::current() == nullptr) return false;
  for (int i = t.size - 1; i > 0; --i) {
    member& m = *t.members[i];
    if (node >= 0 && m.tasks.node.load(std::memory_order_relaxed) != node) continue;
    if (i <= t.docked() ? send_for_docked(t, m) : send_for_frame(t, m)) return true;
  }
  return false;
}

}  // namespace kasuri::omp
