// SPDX-License-Identifier: Apache-2.0
// Places of the program by number. An entry point of a front end gives its return address and what
// stands there; the tools turn addresses into lines, never the program.
//
// The table only grows. A thread enters a place by one exchange of its slot; who loses it looks at
// the slot again.
#pragma once

#include <cstddef>  // for size_t
#include <cstdint>  // for uint16_t

namespace kasuri::profile {

/// What stands at a place.
enum class site_kind : std::uint8_t {
  none,
  region,      // an OpenMP parallel construct
  loop,        // a worksharing loop, or a loop of the library
  sections,    // the sections construct
  single,      // single, masked
  barrier,     // an explicit barrier
  critical,    // critical, atomic, ordered
  lock,        // a lock routine, or a mutex of the library
  task,        // the creation of a task
  task_wait,   // taskwait, taskgroup, a group's wait
  fork,        // the second side of a parallel_invoke, by its code
  group_task,  // a task of a group, by its code
  thread,      // a user-level thread, by its code
  blocking,    // kasuri::blocking
  checkout,    // a checkout of global memory
};

/// The kind's name as written above.
const char* name(site_kind kind) noexcept;

/// 0: no place, or one for which the table has no room.
using site_id = std::uint16_t;
inline constexpr unsigned site_bits = 16;  // for keys that hold one and more
static_assert(sizeof(site_id) * 8 == site_bits);
inline constexpr std::size_t most_sites = 4096;

struct site {
  site_kind kind = site_kind::none;
  const void* address = nullptr;
};

/// The number of a place. Any thread; costs a look into a hash table.
site_id site_of(site_kind kind, const void* address) noexcept;

/// The place of that number; empty if there is none.
site place_of(site_id id) noexcept;

/// Places that found no room.
std::size_t sites_lost() noexcept;

}  // namespace kasuri::profile
