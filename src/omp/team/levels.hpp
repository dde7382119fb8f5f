// SPDX-License-Identifier: Apache-2.0
#pragma once

// The nest of regions that a member is in, seen from inside.

#include "omp/team/member.hpp"
#include "omp/team/team.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

/// omp_get_level: levels count from the target region that the member is in, if any. A thread that
/// meets a target construct goes to another device, as far as the program can tell.
inline int level_of(const member& m) noexcept {
  const nest_levels& n = m.in->nest;
  KASURI_EXPECT(cheap, n.target >= 0 && n.target <= n.level && n.active <= n.level - n.target,
                "level %d, target region at %d, %d active", n.level, n.target, n.active);
  return n.level - n.target;
}

/// The ancestor of `m` in the team of a nesting level, `m` itself at its own; null when there is no
/// such level.
inline const member* ancestor(const member& m, int level) noexcept {
  if (level < 0 || level > level_of(m)) return nullptr;
  const int wanted = level + m.in->nest.target;
  const member* at = &m;
  while (at->in->nest.level > wanted && at->in->parent != nullptr) at = at->in->parent;
  KASURI_EXPECT(cheap, at->in->nest.level == wanted, "level %d was wanted, and %d is the outermost",
                wanted, at->in->nest.level);
  return at;
}

/// omp_get_ancestor_thread_num.
inline int ancestor_number(const member& m, int level) noexcept {
  const member* a = ancestor(m, level);
  return a == nullptr ? -1 : level_of(*a) == 0 ? 0 : a->number;
}

}  // namespace kasuri::omp
