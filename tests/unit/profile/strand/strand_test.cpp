// SPDX-License-Identifier: Apache-2.0
#include "profile/strand/strand.hpp"

#include <gtest/gtest.h>

#include <map>

namespace kasuri::profile {
namespace {

std::map<site_id, std::uint64_t> sites_of(const path& p) {
  std::map<site_id, std::uint64_t> all;
  p.each_site([&](site_id s, std::uint64_t t) { all[s] += t; });
  return all;
}

TEST(path, the_longer_of_two_that_meet_counts_with_its_sites) {
  path a, b;
  a.add(1, 10);
  b.add(2, 30);
  b.add(1, 5);
  a.meet(b);
  EXPECT_EQ(a.length(), 35U);
  EXPECT_EQ(sites_of(a), (std::map<site_id, std::uint64_t>{{1, 5}, {2, 30}}));
  path shorter;
  shorter.add(3, 20);
  a.meet(shorter);
  EXPECT_EQ(a.length(), 35U);
  EXPECT_EQ(sites_of(a).count(3), 0U);
}

TEST(path, the_longest_burdened_one_is_kept_apart) {
  path a, b;
  a.add(1, 10);
  a.add_burden(50);
  b.add(2, 30);
  b.meet(a);
  EXPECT_EQ(b.length(), 30U);
  EXPECT_EQ(b.burdened(), 60U);
}

TEST(path, of_many_sites_the_longest_are_known) {
  path p;
  for (site_id s = 1; s != 30; ++s) p.add(s, s == 7 ? 1000 : 1);
  EXPECT_EQ(p.length(), 1028U);
  EXPECT_EQ(sites_of(p).at(7), 1000U);
  EXPECT_LE(sites_of(p).size(), path::kept);
}

TEST(strand, counts_while_it_runs) {
  strand s;
  s.begin(4, {}, 100);
  s.pause(130);
  s.pause(150);  // does nothing
  s.go_on(200);
  s.turn_to(5, 210);
  s.pause(215);
  EXPECT_EQ(s.so_far().length(), 45U);
  EXPECT_EQ(sites_of(s.so_far()), (std::map<site_id, std::uint64_t>{{4, 40}, {5, 5}}));
}

TEST(strand, a_clock_that_goes_back_adds_nothing) {
  strand s;
  s.begin(4, {}, 100);
  s.pause(90);
  EXPECT_EQ(s.so_far().length(), 0U);
}

}  // namespace
}  // namespace kasuri::profile
