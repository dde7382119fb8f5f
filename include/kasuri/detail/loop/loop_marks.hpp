// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a loop tells a profile that is recorded. A loop that nobody divides leaves no other trace;
// where none is recorded, it asks once and is told so.

#include <cstddef>
#include <cstdint>

namespace kasuri::detail {

/// A loop that is recorded.
struct marked_loop;

struct loop_start {
  marked_loop* marks;  ///< null: it is not recorded
  bool has_pieces;     ///< its pieces are told too
  int offers;          ///< so often a new range is halved, that each worker has a part
};

/// Whether a profile is recorded.
bool loops_are_recorded() noexcept;
/// The caller is in the pool and begins a loop of so many iterations.
loop_start begin_loop(std::size_t iterations) noexcept;
/// All its iterations have ended.
void end_loop(marked_loop* l) noexcept;

/// The caller begins with a range of a loop that is recorded. What end_piece takes.
std::uint64_t begin_pieces() noexcept;
/// The iterations [begin, end) have ended, which began at `since`. The same for the next.
std::uint64_t end_piece(marked_loop* l, std::uint64_t since, std::size_t begin,
                        std::size_t end) noexcept;

}  // namespace kasuri::detail
