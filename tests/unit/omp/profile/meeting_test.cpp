// SPDX-License-Identifier: Apache-2.0
#include "omp/profile/meeting.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "omp/profile/team_sums.hpp"

namespace kasuri::omp::sums {
namespace {

profile::path path_of(std::uint64_t length, std::uint64_t burden = 0) {
  profile::path p;
  p.add(1, length);
  p.add_burden(burden);
  return p;
}

TEST(Meeting, TheLongestGoesOn) {
  meeting m;
  m.meet(path_of(10));
  m.meet(path_of(30));
  m.meet(path_of(20));
  profile::path p = path_of(5);
  m.pass_to(p);
  EXPECT_EQ(p.length(), 30u);
  profile::path longer = path_of(40);
  m.pass_to(longer);
  EXPECT_EQ(longer.length(), 40u);
}

TEST(Meeting, TheLongestBurdenedPathCountsByItself) {
  meeting m;
  m.meet(path_of(30));
  m.meet(path_of(20, 50));
  profile::path p;
  m.pass_to(p);
  EXPECT_EQ(p.length(), 30u);
  EXPECT_EQ(p.burdened(), 70u);
}

TEST(Meeting, ThreadsMeetAtOnce) {
  meeting m;
  constexpr std::uint64_t threads = 4, rounds = 2000;
  std::vector<std::thread> all;
  for (std::uint64_t i = 0; i != threads; ++i)
    all.emplace_back([&m, i] {
      for (std::uint64_t k = 1; k <= rounds; ++k) m.meet(path_of(k * threads + i));
    });
  for (std::thread& t : all) t.join();
  profile::path p;
  m.pass_to(p);
  EXPECT_EQ(p.length(), rounds * threads + threads - 1);
}

TEST(OwedPath, IsPaidWhereItIsOwed) {
  meeting first, second;
  owed_path owed;
  owed.meet(first, path_of(10));
  owed.meet(first, path_of(7));
  profile::path p;
  first.pass_to(p);
  EXPECT_EQ(p.length(), 0u);
  owed.meet(second, path_of(4));  // pays the first
  first.pass_to(p);
  EXPECT_EQ(p.length(), 10u);
  owed.pay();
  owed.pay();
  profile::path q;
  second.pass_to(q);
  EXPECT_EQ(q.length(), 4u);
}

}  // namespace
}  // namespace kasuri::omp::sums
