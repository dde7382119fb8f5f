// SPDX-License-Identifier: Apache-2.0
#pragma once

// Doacross loops: an iteration waits for others by their index vectors.
//
// Flags in the construct's memory, behind the dimensions, in one of two forms:
//
//   one bit for each iteration of the whole nest. Clang, which does not say how many of its loops
//   are collapsed into the one whose iterations are dealt out; and nests of one loop.
//
//   by rows: one word for each iteration of the outermost loop: 1 + the number within that row of
//   the last iteration that was posted. GCC, whose outermost loop is the one that is dealt out: so
//   one member posts all of a row, in order, with a plain store.

#include <cstddef>

#include "omp/work/meet.hpp"

namespace kasuri::omp {

/// Bytes that the dimensions and flags take.
std::size_t doacross_bytes(const doacross_dimension* d, std::uint64_t count, bool by_rows) noexcept;

/// Lays them out in c.doacross, which has that many zeros.
void set_up_doacross(construct& c, const doacross_dimension* d, std::uint64_t count) noexcept;

/// The member's part, after the construct has been set up.
void begin_doacross(member& m, construct& c, std::uint64_t count, bool by_rows) noexcept;

/// The iteration with these indices has ended, as far as others wait for it.
void post_iteration(member& m, const std::int64_t* index) noexcept;

/// Waits for it. Returns at once when there is no such iteration.
void wait_for_iteration(member& m, const std::int64_t* index) noexcept;

}  // namespace kasuri::omp
