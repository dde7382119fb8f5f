// SPDX-License-Identifier: Apache-2.0
#pragma once

// The strands of the threads that open regions, outside those. The initial thread's is the
// program's: its path at the end is the span. Who made another thread, and who waits for it, nobody
// says: it is taken to begin behind what the initial thread has done by then, and to end beside it.

#include <cstdint>

#include "omp/team/member.hpp"
#include "profile/json.hpp"

namespace kasuri::omp::sums {

/// m is the member of a thread outside all regions, and is seen for the first time.
void open_root(member& m) noexcept;

/// Its strand is here. `runs`: and goes on from `now`.
void publish(member& m, std::uint64_t now, bool runs) noexcept;

void write_spans(profile::json& to);
void begin_spans_anew() noexcept;

}  // namespace kasuri::omp::sums
