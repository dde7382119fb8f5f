// SPDX-License-Identifier: Apache-2.0
#include "profile/base/sites.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace kasuri::profile {
namespace {

TEST(sites, a_place_keeps_its_number) {
  static const char here[2] = {};
  const site_id a = site_of(site_kind::loop, &here[0]);
  EXPECT_NE(a, 0);
  EXPECT_EQ(site_of(site_kind::loop, &here[0]), a);
  EXPECT_NE(site_of(site_kind::barrier, &here[0]), a);
  EXPECT_NE(site_of(site_kind::loop, &here[1]), a);
  EXPECT_EQ(place_of(a).kind, site_kind::loop);
  EXPECT_EQ(place_of(a).address, &here[0]);
}

TEST(sites, threads_that_enter_the_same_places_get_the_same_numbers) {
  constexpr std::size_t places = 300;
  constexpr int threads = 4;
  static const char text[places] = {};
  std::vector<std::vector<site_id>> numbers(threads, std::vector<site_id>(places));
  {
    std::vector<std::jthread> all;
    for (int t = 0; t != threads; ++t)
      all.emplace_back([&, t] {
        for (std::size_t i = 0; i != places; ++i)
          numbers[static_cast<std::size_t>(t)][i] = site_of(site_kind::task, &text[i]);
      });
  }
  for (const auto& own : numbers) EXPECT_EQ(own, numbers[0]);
  EXPECT_EQ(std::set<site_id>(numbers[0].begin(), numbers[0].end()).size(), places);
}

TEST(sites, a_full_table_answers_with_no_place_and_counts) {
  static const char text[2 * most_sites] = {};
  const std::size_t before = sites_lost();
  std::size_t lost = 0;
  for (const char& c : text) lost += site_of(site_kind::checkout, &c) == 0;
  EXPECT_GT(lost, 0U);
  EXPECT_EQ(sites_lost() - before, lost);
  EXPECT_EQ(place_of(0).kind, site_kind::none);
}

}  // namespace
}  // namespace kasuri::profile
