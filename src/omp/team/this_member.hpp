// SPDX-License-Identifier: Apache-2.0
#pragma once

// self() and known_self() with their common case inlined: for routines that cost little else.

#include "omp/team/member.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::omp {

/// The member whose region the calling thread is in; null outside all regions, and in a region of
/// one on a thread that is no worker (region.cpp).
inline member* member_in_region() noexcept {
  const sched::worker* const w = sched::current();
  return w == nullptr ? nullptr : static_cast<member*>(w->client);
}

inline member& this_member() noexcept {
  member* const m = member_in_region();
  return m != nullptr ? *m : self();
}

}  // namespace kasuri::omp
