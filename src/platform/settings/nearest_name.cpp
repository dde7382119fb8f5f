// SPDX-License-Identifier: Apache-2.0
#include "platform/settings/nearest_name.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace kasuri::platform {
namespace {

// Levenshtein distance by rows of the usual table (Wagner and Fischer, JACM 21(1), 1974).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest_name(std::string_view text, std::span<const std::string_view> names) {
  constexpr std::size_t longest = 64;  // longer ones are no misspelling of ours
  std::string_view best;
  std::size_t least = longest;
  for (const std::string_view name : names) {
    if (text.size() > longest) {
      break;
    }
    const std::size_t distance = edit_distance(text, name);
    if (distance < least && distance * 2 <= std::max(text.size(), name.size())) {
      best = name;
      least = distance;
    }
  }
  return best;
}

}  // namespace kasuri::platform
