// SPDX-License-Identifier: Apache-2.0
#pragma once

// The places of this process, and how the members of a region are spread over them (OpenMP 5.1,
// section 2.6.2).

#include "omp/base/icv.hpp"
#include "omp/env/place_list.hpp"

namespace kasuri::omp {

/// The places a member may use, [first, first + count), wrapping around, and the one it is bound
/// to; numbers of places. count 0: no places.
struct place_partition {
  int first = 0;
  int count = 0;
  int bound = -1;
};

/// The place of a member of a region and the partition that it hands down. `parents` is that of the
/// member that meets the region; one of count 0 (there are no places) comes back as it is.
place_partition place_of(int member, int members, proc_bind bind,
                         const place_partition& parents) noexcept;

/// The places that the environment asks for; none when it asks for none. The first call reads the
/// machine's topology.
const place_list& places();

/// The place-partition-var of an initial thread: all places. Where members are bound it is to be
/// bound to the first one when it meets its first region.
place_partition initial_partition();

/// Binds the calling OS thread to the CPUs of a place; -1: to all CPUs that the process may use.
/// False when the kernel refuses.
bool bind_os_thread(int place) noexcept;

}  // namespace kasuri::omp
