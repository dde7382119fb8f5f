// SPDX-License-Identifier: Apache-2.0
#pragma once

// Nonmonotonic dynamic loops: the chunks are dealt out in blocks, one for each member, which takes
// from the front of its own. A member whose block is empty takes half of what another has left,
// from its end. So the members work in lines of memory of their own until one runs out.
//
// A share (loop_share in team/workshare.hpp) holds [begin, end), chunk numbers of 32 bits each, in
// one word. Its owner adds to `begin`; if it finds the share empty then, it has passed `end`, which
// harms nobody. Thieves lower `end`. The owner stores what it stole into its own share. No value of
// the word comes twice in a loop: begin is the number of a chunk that somebody takes next, once.
//
// The last chunk of the loop is dealt out when no other one is left. So it is the last one that its
// member gets, and that is how both compilers find out who has the values of lastprivate variables.
//
// Members come at different times, or not before the others have done all the work. The first
// member that needs a share, its owner or a thief, deals it out: `dealt` has the states of
// construct::state.

#include <cstdint>

#include "omp/team/team.hpp"

namespace kasuri::omp {

constexpr std::uint64_t most_chunks_to_share = 0xffff'0000;
static_assert(most_chunks_to_share < std::uint64_t{1} << 32, "a share holds numbers of 32 bits");

/// The shares of the construct with that ticket, by member.
loop_share* loop_shares_of(team& t, std::uint64_t ticket) noexcept;

/// The next chunk of the loop for the member. False: all are taken.
bool take_shared_chunk(member& m, const loop_state& l, std::uint64_t& chunk) noexcept;

}  // namespace kasuri::omp
