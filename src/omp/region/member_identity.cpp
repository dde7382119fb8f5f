// SPDX-License-Identifier: Apache-2.0
#include "omp/region/member_identity.hpp"

#include <iterator>
#include <utility>

#include "omp/region/region_member.hpp"
#include "omp/team/root.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/thread/os_thread.hpp"
#include "sched/pool/pool.hpp"
#include "sched/worker/identity.hpp"

namespace kasuri::omp {
namespace {

[[noreturn]] [[gnu::cold]] void end_without_threads(const member& m) noexcept {
  platform::fatal(
      "openmp: Thread creation failed: Resource temporarily unavailable (member %d of a team of %d "
      "has no "
      "thread-locals of its own); accepted: a higher limit of threads (ulimit -u, pids.max), "
      "smaller teams "
      "(OMP_NUM_THREADS), or OMP_DYNAMIC=true, by which teams get smaller by themselves",
      m.number, m.in->size);
}

/// The same for an outermost team: which numbers have a docked worker or an identity.
int outermost_members(root& r, int n) noexcept {
  r.make_room_for(n);
  sched::pool& p = sched::pool::get();
  if (r.workers == nullptr) r.workers = docks::claim(p, dock_kind);
  for (int i = 1; i != n; ++i) {
    if (r.workers != nullptr && r.workers->has_thread_for(i)) continue;
    context::identity*& mine = r.identities[static_cast<std::size_t>(i)];
    if (mine == nullptr) mine = context::try_take_identity(sched::face_of_this_thread);
    if (mine == nullptr) return i;
  }
  return n;
}

}  // namespace

context::identity& identity_for(member& m, sched::worker& w) noexcept {
  const bool kept = keeps_identities(*m.in);
  KASURI_EXPECT(cheap, !kept || m.number < std::ssize(m.of->identities),
                "member %d, thread-locals for %td", m.number, std::ssize(m.of->identities));
  KASURI_EXPECT(cheap, m.number > m.in->docked(), "member %d has a dock, as %d have", m.number,
                m.in->docked());
  context::identity*& mine =
      kept ? m.of->identities[static_cast<std::size_t>(m.number)] : m.identity;
  if (mine == nullptr) mine = w.identities.try_take(sched::face_of_this_thread);
  if (mine == nullptr) [[unlikely]]
    end_without_threads(m);
  return *mine;
}

void give_identities(team& t) noexcept {
  sched::worker& w = *sched::current();
  for (int i = t.docked() + 1; i < t.size; ++i) identity_for(*t.members[i], w);
}

void give_identities_back(team& t, sched::worker& w) noexcept {
  KASURI_EXPECT(cheap, !keeps_identities(t) && t.docked() == 0, "level %d, %d members are docked",
                t.nest.level, t.docked());
  for (int i = t.docked() + 1; i < t.size; ++i)
    if (context::identity* const mine = std::exchange(t.members[i]->identity, nullptr))
      w.identities.put(*mine);
}

int members_that_can_be(const member& m, int n) noexcept {
  if (n == 1) return n;
  sched::worker* const w = sched::current();
  const int can = (m.in->nest.level == 0 && !m.of->is_spare) || w == nullptr
                      ? outermost_members(*m.of, n)
                      : 1 + static_cast<int>(w->identities.provide(static_cast<unsigned>(n - 1),
                                                                   sched::face_of_this_thread));
  KASURI_EXPECT(cheap, can >= 1 && can <= n, "%d of %d members can be", can, n);
  if (can != n && platform::first_thread_refused())
    platform::warn(
        "the system gives no more threads: teams are smaller than OMP_DYNAMIC=true would make "
        "them; "
        "accepted: a higher limit (ulimit -u, pids.max)");
  return can;
}

}  // namespace kasuri::omp
