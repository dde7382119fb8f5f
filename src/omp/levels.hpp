// SPDX-License-Identifier: Apache-2.0
#pragma once

// The nest of regions that a member is in, seen from inside.

#include "omp/member.hpp"
#include "omp/team.hpp"

namespace kasuri::omp {

/// The ancestor of `m` in the team of a nesting level, `m` itself at its own; null when there is no
/// such level.
inline const member* ancestor(const member& m, int level) noexcept {
  if (level < 0 || level > m.in->level) return nullptr;
  const member* at = &m;
  while (at->in->level > level && at->in->parent != nullptr) at = at->in->parent;
  return at;
}

/// omp_get_ancestor_thread_num.
inline int ancestor_number(const member& m, int level) noexcept {
  const member* a = ancestor(m, level);
  return a == nullptr ? -1 : a->in->level == 0 ? 0 : a->number;
}

}  // namespace kasuri::omp
