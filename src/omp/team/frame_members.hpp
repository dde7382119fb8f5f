// SPDX-License-Identifier: Apache-2.0
#pragma once

// The members of a region that are frames of the scheduler (region/region.cpp), and the helpers.
//
//   count     the primary writes it before the region starts
//   running   frames that have not ended. The primary owns the count: it starts all of them, and
//             takes off those that it runs itself. Other workers add the ends of theirs.
//   helpers   members that were sent for (helper.cpp) and have not ended. The sender raises it
//             before the member can start; the helper lowers it as its last act.
//
// A thread raises `helpers` when it has queued tasks of the region. So the primary looks for tasks
// first, and for helpers then.

#include <atomic>
#include <cstdint>

#include "kasuri/detail/atomics.hpp"
#include "kasuri/detail/group_count.hpp"

namespace kasuri::omp {

struct frame_members {
  detail::group_count<detail::real_atomics, 64> running;
  std::atomic<std::uint32_t> helpers{0};
  std::uint32_t count = 0;
  // They had thread-locals of their own before they started; the primary writes it.
  bool have_identities = false;
};

}  // namespace kasuri::omp
