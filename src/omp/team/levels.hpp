// SPDX-License-Identifier: Apache-2.0
#pragma once

// The nest of regions that a member is in, seen from inside.

#include "omp/team/member.hpp"
#include "omp/team/team.hpp"

namespace kasuri::omp {

/// omp_get_level: levels count from the target region that the member is in, if any. What meets a
/// target construct is on another device, as far as the program can tell.
inline int level_of(const member& m) noexcept { return m.in->nest.level - m.in->nest.target; }

/// The ancestor of `m` in the team of a nesting level, `m` itself at its own; null when there is no
/// such level.
inline const member* ancestor(const member& m, int level) noexcept {
  if (level < 0 || level > level_of(m)) return nullptr;
  const int wanted = level + m.in->nest.target;
  const member* at = &m;
  while (at->in->nest.level > wanted && at->in->parent != nullptr) at = at->in->parent;
  return at;
}

/// omp_get_ancestor_thread_num.
inline int ancestor_number(const member& m, int level) noexcept {
  const member* a = ancestor(m, level);
  return a == nullptr ? -1 : level_of(*a) == 0 ? 0 : a->number;
}

}  // namespace kasuri::omp
