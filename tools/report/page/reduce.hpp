// SPDX-License-Identifier: Apache-2.0
// What the page takes from a report: as much of each list and text as fits, figures with as many
// digits as anybody reads.
#pragma once

#include <cstddef>  // for size_t
#include <nlohmann/json.hpp>

namespace kasuri::report {

struct limits {
  std::size_t rows = 500;  // of a list
  std::size_t text = 400;  // bytes of a text
  std::size_t bins = 2000;
  std::size_t letters = 300'000;  // of the timeline
};

/// Rows of the bars by worker and of the matrix of steals.
inline constexpr std::size_t most_groups = 64;

/// Of a list that is longer than the limit what has the most seconds stays, and `left_out` says how
/// many rows went. All texts of the result are valid UTF-8.
nlohmann::json reduce(const nlohmann::json& report, const limits& most);

/// Accounts of at most `most_groups` groups of consecutive workers: `first`, `last`, `count`, the
/// means of all numbers, and least and most work. One worker a group where there are few.
nlohmann::json group_workers(const nlohmann::json& accounts);

/// The timeline of a profile, in at most so many bins and, if that can be, letters: for each group
/// and state one text. `A` to `Z` and `a` to `y` are shares of 0 to 100 % in steps of 2 %; a number
/// behind a letter says for how many bins it stands. Null for anything but a timeline.
nlohmann::json pack_timeline(const nlohmann::json& timeline, std::size_t most_bins,
                             std::size_t most_letters);

/// Sums over blocks of workers, as many as group_workers() makes of so many workers. Null for
/// anything but a matrix.
nlohmann::json group_steals(const nlohmann::json& matrix);

}  // namespace kasuri::report
