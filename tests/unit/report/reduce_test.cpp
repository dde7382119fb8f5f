// SPDX-License-Identifier: Apache-2.0
#include "report/page/reduce.hpp"

#include <gtest/gtest.h>

#include <string>  // for string

namespace kasuri::report {
namespace {

using nlohmann::json;

json accounts(int workers) {
  json all = json::array();
  for (int i = 0; i < workers; ++i)
    all.push_back({{"worker", i}, {"role", "worker"}, {"work_s", i}, {"steals", 2 * i}});
  return all;
}

TEST(reduce, few_workers_stay_as_they_are) {
  const json groups = group_workers(accounts(64));
  ASSERT_EQ(groups.size(), 64U);
  EXPECT_EQ(groups[63], (json{{"first", 63},
                              {"last", 63},
                              {"count", 1},
                              {"role", "worker"},
                              {"work_s", 63},
                              {"steals", 126},
                              {"least_work_s", 63},
                              {"most_work_s", 63}}));
}

TEST(reduce, many_workers_become_groups_with_their_means) {
  const json groups = group_workers(accounts(130));
  ASSERT_EQ(groups.size(), 44U);  // of three, the last of one
  EXPECT_EQ(groups[1].at("first"), 3);
  EXPECT_EQ(groups[1].at("last"), 5);
  EXPECT_EQ(groups[1].at("work_s"), 4);
  EXPECT_EQ(groups[1].at("least_work_s"), 3);
  EXPECT_EQ(groups[1].at("most_work_s"), 5);
  EXPECT_EQ(groups[43].at("count"), 1);
}

TEST(reduce, steals_add_up) {
  json matrix = json::array();
  for (int i = 0; i < 130; ++i) matrix.push_back(std::vector<int>(130, i));
  const json groups = group_steals(matrix);
  ASSERT_EQ(groups.at("matrix").size(), 44U);
  EXPECT_EQ(groups.at("size"), 3);
  EXPECT_EQ(groups.at("matrix")[1][0], 3 * (3 + 4 + 5));
  EXPECT_EQ(groups.at("matrix")[43][43], 129);
  EXPECT_EQ(reduce({{"bytes_between", {{"matrix", matrix}}}}, {}).at("bytes_between"), groups);
  EXPECT_TRUE(group_steals(json::array()).is_null());
  EXPECT_TRUE(group_steals({{1, 2}, 3}).is_null());
}

json timeline(const json& groups) { return {{"bin_s", 0.5}, {"groups", groups}}; }

TEST(reduce, a_timeline_becomes_letters_with_the_length_of_their_runs) {
  const json packed = pack_timeline(
      timeline({{{"first", 0}, {"last", 3}, {"work", {0, 0, 0, 1000, 500}}, {"role", "worker"}},
                {{"first", 4}, {"last", 5}, {"lock", {20, 980, 9, 11, 2000}}}}),
      5, 1000);
  EXPECT_EQ(packed, (json{{"bin_s", 0.5},
                          {"bins", 5},
                          {"groups",
                           {{{"first", 0}, {"last", 3}, {"work", "A3yZ"}},
                            {{"first", 4}, {"last", 5}, {"lock", "BxABy"}}}}}));
}

TEST(reduce, bins_of_a_timeline_join_to_means_where_there_are_too_many) {
  const json given = timeline({{{"first", 0}, {"work", {0, 1000, 1000, 1000, 1000}}}});
  const json packed = pack_timeline(given, 3, 1000);
  EXPECT_EQ(packed.at("bin_s"), 1);
  EXPECT_EQ(packed.at("bins"), 3);
  EXPECT_EQ(packed.at("groups")[0].at("work"), "Zy2");
}

TEST(reduce, a_timeline_gets_fewer_bins_where_it_would_be_too_long) {
  json shares = json::array();
  for (int i = 0; i != 2000; ++i) shares.push_back(i % 2 == 0 ? 0 : 1000);
  json groups = json::array();
  for (int i = 0; i != 100; ++i) groups.push_back({{"first", i}, {"work", shares}});
  const json packed = pack_timeline(timeline(groups), 2000, 64 * 2000 - 1);
  EXPECT_EQ(packed.at("bins"), 1000);
  ASSERT_EQ(packed.at("groups").size(), 64U);
  EXPECT_EQ(packed.at("groups")[63].at("work"), "Z1000");
}

TEST(reduce, what_is_no_timeline_is_left_out) {
  EXPECT_TRUE(pack_timeline(nullptr, 9, 9).is_null());
  EXPECT_TRUE(pack_timeline(timeline(json::array()), 9, 9).is_null());
  EXPECT_TRUE(pack_timeline(timeline({{{"work", "x"}}, 3}), 9, 9).is_null());
  EXPECT_TRUE(pack_timeline({{"groups", {{{"work", {1}}}}}}, 9, 9).is_null());
  EXPECT_TRUE(pack_timeline({{"bin_s", -1}, {"groups", {{{"work", {1}}}}}}, 9, 9).is_null());
}

TEST(reduce, bins_join_to_means_of_their_time) {
  const json report = {
      {"series",
       {{"bin_s", 0.5}, {"seconds", {0.5, 0.25, 0, 0, 0.5}}, {"running", {1, 4, 7, 7, 6}}}}};
  const json series = reduce(report, {.bins = 3}).at("series");
  EXPECT_EQ(series.at("bin_s"), 1);
  EXPECT_EQ(series.at("seconds"), (json{0.75, 0, 0.5}));
  EXPECT_EQ(series.at("running"), (json{2, 0, 6}));
}

TEST(reduce, the_rows_with_most_seconds_stay_in_their_order) {
  const json report = {{"sites",
                        {{{"id", 1}, {"work_s", 3}},
                         {{"id", 2}, {"work_s", 1}},
                         {{"id", 3}, {"work_s", 0}, {"wait_s", 9}},
                         {{"id", 4}, {"count", 100}}}}};
  const json reduced = reduce(report, {.rows = 2});
  ASSERT_EQ(reduced.at("sites").size(), 2U);
  EXPECT_EQ(reduced.at("sites")[0].at("id"), 1);
  EXPECT_EQ(reduced.at("sites")[1].at("id"), 3);
  EXPECT_EQ(reduced.at("left_out"), (json{{"sites", 2}}));
}

TEST(reduce, texts_are_cut_between_characters) {
  const json reduced =
      reduce({{"program", "/long/way/\xc3\xa9nd"}, {"answer", "\xc3\xa9\xc3\xa9"}}, {.text = 3});
  EXPECT_EQ(reduced.at("program"), "\xe2\x80\xa6nd");
  EXPECT_EQ(reduced.at("answer"), "\xc3\xa9\xe2\x80\xa6");
}

TEST(reduce, figures_have_five_digits) {
  const json reduced = reduce({{"seconds", 12.3456789}, {"work_s", 1.23456e-7}}, {});
  EXPECT_EQ(reduced.at("seconds"), 12.346);
  EXPECT_EQ(reduced.at("work_s"), 1.2346e-7);
}

}  // namespace
}  // namespace kasuri::report
