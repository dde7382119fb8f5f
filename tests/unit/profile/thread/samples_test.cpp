// SPDX-License-Identifier: Apache-2.0
#include "profile/thread/samples.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <utility>

namespace kasuri::profile {
namespace {

TEST(samples, are_summed_by_place_and_site) {
  const auto table = std::make_unique<sample_table>();
  table->add({.pc = 10, .site = 1, .processor = 5, .alone = 2});
  table->add({.pc = 10, .site = 1, .processor = 3, .blamed = 1});
  table->add({.pc = 10, .site = 2, .processor = 4});
  std::map<std::pair<std::uintptr_t, site_id>, sample> all;
  table->each([&](const sample& s) { all[{s.pc, s.site}] = s; });
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ((all[{10, 1}].processor), 8U);
  EXPECT_EQ((all[{10, 1}].alone), 2U);
  EXPECT_EQ((all[{10, 1}].blamed), 1U);
  EXPECT_EQ((all[{10, 2}].processor), 4U);
  EXPECT_EQ(table->lost(), 0U);
}

TEST(samples, without_room_are_counted_as_lost) {
  const auto table = std::make_unique<sample_table>();
  constexpr std::uint64_t places = 4 * sample_table::most;
  for (std::uint64_t i = 1; i <= places; ++i) table->add({.pc = i, .processor = 1});
  std::uint64_t kept = 0;
  table->each([&](const sample& s) { kept += s.processor; });
  EXPECT_GT(table->lost(), 0U);
  EXPECT_EQ(kept + table->lost(), places);
}

}  // namespace
}  // namespace kasuri::profile
