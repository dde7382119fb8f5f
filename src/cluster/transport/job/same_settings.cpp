// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/job/same_settings.hpp"

#include <algorithm>
#include <string_view>

#include "platform/settings/settings_text.hpp"

namespace kasuri::cluster {
namespace {

// The first decides how the ranks meet. The cache, the seed and the workers are each rank's own.
constexpr std::string_view names[] = {"KASURI_TRANSPORT",    "KASURI_TRANSPORT_FLUSH",
                                      "KASURI_HOST_RANKS",   "KASURI_GLOBAL_RANGE",
                                      "KASURI_GLOBAL_HEAP",  "KASURI_GLOBAL_BLOCK",
                                      "KASURI_CACHE",        "KASURI_CHECK",
                                      "KASURI_CHECK_MEMORY", "KASURI_SCHED"};
static_assert(std::size(names) == declared_settings::count);

}  // namespace

declared_settings declare(const platform::settings& settings) {
  declared_settings mine;
  for (std::size_t i = 0; i < std::size(names); ++i) {
    const std::string text = platform::value_text(*platform::find_setting(names[i]), settings);
    text.copy(mine.values[i].data(), mine.values[i].size() - 1);
  }
  settings.problem.copy(mine.problem.data(), mine.problem.size() - 1);
  return mine;
}

std::string disagreement(std::span<const declared_settings> all) {
  const auto bad = std::ranges::find_if(
      all, [](const declared_settings& each) { return each.problem[0] != '\0'; });
  if (bad != all.end()) {
    const std::string where = "rank " + std::to_string(bad - all.begin()) + ": ";
    return (bad == all.begin() ? "" : where) + bad->problem.data();
  }
  for (std::size_t i = 0; i < std::size(names); ++i) {
    const auto other = std::ranges::find_if(
        all, [&](const declared_settings& each) { return each.values[i] != all[0].values[i]; });
    if (other == all.end()) continue;
    return std::string(names[i]) + '=' + other->values[i].data() + " on rank " +
           std::to_string(other - all.begin()) + ", but " + all[0].values[i].data() +
           " on rank 0; accepted: one value for all ranks";
  }
  return "";
}

}  // namespace kasuri::cluster
