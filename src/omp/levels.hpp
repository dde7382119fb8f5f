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

struct league {
  int number;
  int size;
};

/// The league of the teams construct that the member is in; that of one team outside.
inline league league_of(const member& m) noexcept {
  const team* t = m.in;
  while (t->league_size == 1 && t->parent != nullptr) t = t->parent->in;
  return {t->league_number, t->league_size};
}

}  // namespace kasuri::omp
