// SPDX-License-Identifier: Apache-2.0
#include "profile/watch/timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "profile/base/json.hpp"

namespace kasuri::profile {
namespace {

std::string text_of(const timeline& t, std::size_t bins = timeline::most_bins) {
  json to;
  t.write(to, bins);
  return to.text();
}

TEST(timeline, a_bin_has_the_shares_of_what_was_seen) {
  timeline t(1);
  t.saw(0, timeline::work);
  t.saw(1, timeline::lock);
  t.end_round(0.2, 0.2, 0);
  t.saw(0, timeline::work);
  t.saw(1, timeline::work);
  t.end_round(1, 0.8, 0);
  t.saw(1, timeline::barrier);
  t.end_round(1.5, 0.5, 0);
  EXPECT_EQ(text_of(t),
            R"({"bin_s":1,"workers":2,"groups":[{"first":0,"last":0,"work":[1000,0]},)"
            R"({"first":1,"last":1,"work":[800,0],"lock":[200,0],"barrier":[0,1000]}]})");
}

TEST(timeline, tasks_that_are_ready_make_idle_workers_late) {
  timeline t(1);
  for (std::size_t i = 0; i != 4; ++i) t.saw(i, timeline::no_work);
  t.end_round(0.5, 0.5, 1);
  const std::string text = text_of(t);
  EXPECT_NE(text.find(R"({"first":3,"last":3,"late":[250],"no_work":[750]})"), std::string::npos)
      << text;
}

TEST(timeline, more_ready_tasks_than_idle_workers_make_all_of_them_late) {
  timeline t(1);
  t.saw(0, timeline::work);
  t.saw(1, timeline::no_work);
  t.end_round(0.5, 0.5, 7);
  EXPECT_NE(text_of(t).find(R"({"first":1,"last":1,"late":[1000]})"), std::string::npos);
}

TEST(timeline, bins_become_longer_where_there_would_be_too_many) {
  timeline t(1);
  for (std::size_t i = 0; i != 4 * timeline::most_bins; ++i) {
    t.saw(0, i % 4 == 0 ? timeline::work : timeline::no_work);
    t.end_round(static_cast<double>(i) + 1, 1, 0);
  }
  EXPECT_DOUBLE_EQ(t.bin(), 4);
  const std::string text = text_of(t);
  EXPECT_NE(text.find(R"("work":[250,250)"), std::string::npos) << text.substr(0, 200);
  EXPECT_EQ(std::ranges::count(text, ','), 4 + 2 * (timeline::most_bins - 1) + 1);
}

TEST(timeline, many_workers_become_groups_with_the_shares_of_all) {
  timeline t(1);
  for (std::size_t round = 0; round != 2; ++round) {
    for (std::size_t i = 0; i != 2432; ++i) {
      // What was seen before the groups became wider counts too.
      t.saw(i, i < 32 ? timeline::work : timeline::runtime);
    }
    t.end_round(static_cast<double>(round) + 1, 1, 0);
  }
  EXPECT_EQ(t.group(), 64U);
  const std::string text = text_of(t);
  EXPECT_NE(text.find(R"({"first":0,"last":63,"work":[500,500],"runtime":[500,500]})"),
            std::string::npos)
      << text.substr(0, 200);
  EXPECT_NE(text.find(R"({"first":2368,"last":2431,"runtime":[1000,1000]})"), std::string::npos);
}

TEST(timeline, groups_that_are_not_full_have_the_shares_of_their_workers) {
  timeline t(1);
  for (std::size_t i = 0; i != 65; ++i) t.saw(i, timeline::work);
  t.end_round(0.5, 0.5, 0);
  EXPECT_NE(text_of(t).find(R"({"first":64,"last":64,"work":[1000]})"), std::string::npos);
}

TEST(timeline, is_written_in_fewer_bins_on_demand) {
  timeline t(1);
  for (std::size_t i = 0; i != 6; ++i) {
    t.saw(0, i < 3 ? timeline::work : timeline::blocked);
    t.end_round(static_cast<double>(i) + 1, 1, 0);
  }
  EXPECT_EQ(text_of(t, 3), R"({"bin_s":2,"workers":1,"groups":[{"first":0,"last":0,)"
                           R"("work":[1000,500,0],"blocked":[0,500,1000]}]})");
}

TEST(timeline, a_round_stands_for_the_time_since_the_one_before) {
  timeline t(1);
  t.saw(0, timeline::work);
  t.end_round(1.5, 1.5, 0);
  t.saw(0, timeline::blocked);
  t.end_round(4, 2.5, 0);
  EXPECT_EQ(text_of(t), R"({"bin_s":1,"workers":1,"groups":[{"first":0,"last":0,)"
                        R"("work":[1000,500,0,0],"blocked":[0,500,1000,1000]}]})");
}

TEST(timeline, without_a_worker_there_is_no_group) {
  timeline t(1);
  t.end_round(0.5, 0.5, 3);
  EXPECT_EQ(text_of(t), R"({"bin_s":1,"workers":0,"groups":[]})");
}

TEST(timeline, a_worker_that_was_not_seen_has_no_share) {
  timeline t(1);
  t.saw(0, timeline::work);
  t.end_round(1, 1, 0);
  t.end_round(2, 1, 0);
  EXPECT_EQ(text_of(t),
            R"({"bin_s":1,"workers":1,"groups":[{"first":0,"last":0,"work":[1000,0]}]})");
}

}  // namespace
}  // namespace kasuri::profile
