// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sections: a dynamic loop with chunks of one section, which have numbers from 1 on; 0: none is
// left.

#include "omp/loop.hpp"

namespace kasuri::omp {

constexpr schedule sections_schedule{schedule_kind::dynamic, true, 1};

inline unsigned next_section(member& m) noexcept {
  loop_state& l = m.work.loop;
  if (l.how == loop_state::kind::whole)  // one member, who takes them one by one all the same
    return l.trip < l.count ? static_cast<unsigned>(++l.trip) : 0;
  return next_chunk(m) ? static_cast<unsigned>(l.to) : 0;
}

}  // namespace kasuri::omp
