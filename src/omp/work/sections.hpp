// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sections: a dynamic loop with chunks of one section, which have numbers from 1 on; 0: none is
// left.

#include "omp/tool/hooks.hpp"
#include "omp/work/loop.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

constexpr schedule sections_schedule{
    .kind = schedule_kind::dynamic, .monotonic = true, .chunk = 1, .of_sections = true};

inline unsigned next_section(member& m) noexcept {
  loop_state& l = m.work.loop;
  unsigned next = 0;
  if (l.how == loop_state::kind::whole)  // one member, which takes them one by one all the same
    next = l.trip < l.count ? static_cast<unsigned>(++l.trip) : 0;
  else
    next = next_chunk(m) ? static_cast<unsigned>(l.to) : 0;
  KASURI_EXPECT(cheap, next <= l.count, "section %u of %lu", next, l.count);
  if (tool::active() && next != 0) [[unlikely]]
    tool::dispatch_section(m);
  return next;
}

}  // namespace kasuri::omp
