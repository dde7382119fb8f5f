// SPDX-License-Identifier: Apache-2.0
#include "report/ranks/ranks.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "profiles.hpp"
#include "report/document.hpp"
#include "report/measures.hpp"
#include "report/ranks/clocks.hpp"
#include "report/ranks/job.hpp"
#include "report/ranks/over_time.hpp"

namespace kasuri::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::int64_t s = 1'000'000'000;

TEST(rank_clocks, of_one_host_are_one) {
  const auto starts = starts_of({{"a", 10 * s, {}}, {"a", 9 * s, {}}, {"a", 12 * s, {}}});
  ASSERT_EQ(starts.size(), 3U);
  EXPECT_DOUBLE_EQ(starts[0].s, 1);
  EXPECT_DOUBLE_EQ(starts[1].s, 0);
  EXPECT_DOUBLE_EQ(starts[2].s, 3);
  for (const rank_start& one : starts) EXPECT_EQ(one.off_by_s, 0);
}

// The clock of b is 100 s ahead. All came between 20 and 21 s, and could go on from 21 s on.
TEST(rank_clocks, of_two_hosts_are_bounded_by_their_meetings) {
  const auto starts = starts_of({{"a", 10 * s, {{20 * s, 22 * s}, {31 * s, 32 * s}}},
                                 {"b", 111 * s, {{121 * s, 122 * s}, {130 * s, 132 * s}}}});
  // Of the first: 99 to 102 s ahead; of the second 98 to 101.
  EXPECT_DOUBLE_EQ(starts[1].s - starts[0].s, 1);
  EXPECT_DOUBLE_EQ(starts[1].off_by_s, 1);
  EXPECT_EQ(starts[0].off_by_s, 0);
}

TEST(rank_clocks, without_a_meeting_are_taken_as_they_are_and_said_to_be_unknown) {
  const auto starts = starts_of({{"a", 10 * s, {}}, {"b", 11 * s, {{1, 2}}}});
  EXPECT_DOUBLE_EQ(starts[1].s, 1);
  EXPECT_EQ(starts[1].off_by_s, -1);
}

TEST(rank_clocks, that_contradict_themselves_are_unknown) {
  const auto starts = starts_of({{"a", 0, {{10 * s, 11 * s}, {20 * s, 21 * s}}},
                                 {"b", 0, {{10 * s, 11 * s}, {40 * s, 41 * s}}}});
  EXPECT_EQ(starts[1].off_by_s, -1);
}

TEST(ranks_over_time, sums_of_series_are_on_the_axis_of_the_first_rank) {
  const json sums = sum_of_series(
      {{0, 0.0, {{"bin_s", 1.0}, {"seconds", {1, 1}}, {"running", {1, 2}}}},
       {1, 0.5, {{"bin_s", 0.5}, {"seconds", {0.5, 0.5, 0.5}}, {"running", {4, 4, 2}}}}});
  EXPECT_EQ(sums.at("bin_s"), 1.0);
  EXPECT_EQ(sums.at("running"), (json{1 + 2.0, 2 + 2.0 + 1.0}));
  EXPECT_EQ(sums.at("seconds"), (json{1.0, 1.0}));
}

TEST(ranks_over_time, timelines_have_the_groups_of_all_ranks) {
  const json all = joined_timelines(
      {{0, 0.0, {{"bin_s", 1.0}, {"groups", {{{"first", 0}, {"last", 1}, {"work", {1000, 500}}}}}}},
       {1, 1.0, {{"bin_s", 1.0}, {"groups", {{{"first", 0}, {"last", 0}, {"lock", {400}}}}}}}});
  EXPECT_EQ(all.at("bin_s"), 1.0);
  EXPECT_EQ(all.at("groups"), (json{{{"rank", 0},
                                     {"last_rank", 0},
                                     {"first", 0},
                                     {"last", 1},
                                     {"count", 2.0},
                                     {"work", {1000, 500}}},
                                    {{"rank", 1},
                                     {"last_rank", 1},
                                     {"first", 0},
                                     {"last", 0},
                                     {"count", 1.0},
                                     {"lock", {0, 400}}}}));
}

TEST(ranks_over_time, many_groups_become_64_with_the_shares_of_their_workers) {
  std::vector<rank_over_time> ranks;
  for (int r = 0; r != 128; ++r)
    ranks.push_back({r, 0.0, {{"bin_s", 1.0}, {"groups", json::array()}}});
  for (rank_over_time& r : ranks)
    r.given["groups"].push_back(
        {{"first", 0}, {"last", r.rank % 2 == 0 ? 2 : 0}, {"work", {r.rank % 2 == 0 ? 1000 : 0}}});
  const json groups = joined_timelines(ranks).at("groups");
  ASSERT_EQ(groups.size(), 64U);
  EXPECT_EQ(groups[63].at("rank"), 126);
  EXPECT_EQ(groups[63].at("last_rank"), 127);
  EXPECT_EQ(groups[63].at("count"), 4);
  EXPECT_EQ(groups[63].at("work"), json{750});
}

TEST(ranks_over_time, without_any_there_is_nothing) {
  EXPECT_TRUE(sum_of_series({}).is_null());
  EXPECT_TRUE(joined_timelines({{0, 0.0, json::object()}}).is_null());
}

/// Files with a profile each, in a folder of their own.
class files {
 public:
  files() { fs::create_directories(folder_); }
  ~files() { fs::remove_all(folder_); }
  files(const files&) = delete;
  files& operator=(const files&) = delete;

  void add(const std::string& name, const json& profile) {
    all.push_back(folder_ / name);
    std::ofstream(all.back()) << profile.dump() << '\n';
  }
  std::vector<fs::path> all = {};

 private:
  fs::path folder_ = fs::path(::testing::TempDir()) / ("ranks_" + std::to_string(getpid()));
};

json process(const std::string& program, double work) {
  return {{"kasuri_profile", 1}, {"program", program},
          {"seconds", 1},        {"last", true},
          {"workers", 1},        {"workers_accounts", {{{"worker", 0}, {"work_s", work}}}}};
}

json rank(int number, int ranks, double wait, std::int64_t started = 5 * s) {
  json p = process("prog", 0.5);
  p["rank"] = {{"rank", number}, {"ranks", ranks}};
  p["host"] = "a";
  p["started_unix_ns"] = started;
  p["checkouts"] = {{"sites", {{{"site", 1}, {"count", 1}, {"wait_s", wait}}}},
                    {"bytes_by_rank", {0, 100 * number}}};
  return p;
}

TEST(job, of_one_process_is_the_one_that_worked_most) {
  files f;
  f.add("p", process("/bin/sh", 0));
  f.add("p.17", process("prog", 0.7));
  f.add("p.18", process("helper", 0.1));
  f.add("p.19", "no profile");
  const auto found = read_job(f.all);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->main.program, "prog");
  EXPECT_EQ(found->file.filename(), "p.17");
  EXPECT_TRUE(found->ranks.empty());
}

TEST(job, has_the_ranks_in_order_and_tells_of_the_one_that_waits_most) {
  files f;
  f.add("p", rank(2, 3, 0.1));
  f.add("p.17", rank(0, 3, 0));
  f.add("p.18", rank(1, 3, 0.4));
  f.add("p.19", process("mpiexec", 0));
  const auto found = read_job(f.all);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->ranks.size(), 3U);
  for (int i = 0; i != 3; ++i) EXPECT_EQ(found->ranks[static_cast<std::size_t>(i)].rank.rank, i);
  EXPECT_EQ(found->main_rank, 1U);
  EXPECT_EQ(found->file.filename(), "p.18");
  EXPECT_EQ(found->files[2].filename(), "p");
}

TEST(job, leaves_out_ranks_of_the_job_before) {
  files f;
  f.add("p", rank(0, 2, 0, 50 * s));
  f.add("p.17", rank(1, 2, 0.1, 50 * s));
  f.add("p.18", rank(1, 2, 0.9, 20 * s));
  f.add("p.19", rank(3, 4, 0.9, 20 * s));
  const auto found = read_job(f.all);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->ranks.size(), 2U);
  EXPECT_EQ(found->files[1].filename(), "p.17");
}

TEST(job, without_a_profile_is_none) {
  EXPECT_FALSE(read_job({}));
  files f;
  f.add("p", "no profile");
  EXPECT_FALSE(read_job(f.all));
}

json report_of(const job& j) {
  const places where(j.main);
  json d = document(measures(j.main, nullptr, where), {});
  add_ranks(d, j);
  return d;
}

TEST(ranks, the_report_of_a_job_is_of_all_of_them) {
  files f;
  f.add("p", rank(0, 2, 0));
  f.add("p.1", rank(1, 2, 0.3, 6 * s));
  const auto j = read_job(f.all);
  ASSERT_TRUE(j);
  const json d = report_of(*j);
  ASSERT_EQ(d.at("ranks").size(), 2U);
  EXPECT_EQ(d.at("ranks")[1].at("rank"), 1);
  EXPECT_EQ(d.at("ranks")[1].at("started_s"), 1.0);
  EXPECT_EQ(d.at("ranks")[1].at("work_s"), 0.5);
  EXPECT_EQ(d.at("bytes_between").at("matrix"), (json{{0.0, 0.0}, {0.0, 100.0}}));
  EXPECT_FALSE(d.contains("span_s"));  // nobody knows the job's
  EXPECT_EQ(d.at("workers"), 2);
  EXPECT_EQ(d.at("seconds"), 2.0);  // from the start of the first to the end of the second
  double shares = 0;
  for (const json& one : d.at("shares")) {
    shares += one.at("seconds").get<double>();
    if (one.at("name") == "work") {
      EXPECT_EQ(one.at("seconds"), 1.0);
    }
  }
  EXPECT_DOUBLE_EQ(shares, 4);
  EXPECT_EQ(d.at("workers_accounts").size(), 2U);
  EXPECT_EQ(d.at("workers_accounts")[1].at("worker"), "1:0");
  EXPECT_NE(d.at("headline").get<std::string>().find("on 2 ranks with 2 workers"),
            std::string::npos);
}

TEST(ranks, says_how_many_left_no_profile) {
  files f;
  f.add("p", rank(0, 3, 0));
  f.add("p.1", rank(2, 3, 0.3));
  const auto j = read_job(f.all);
  ASSERT_TRUE(j);
  EXPECT_NE(report_of(*j).at("quality").at("notes").dump().find("2 of 3 ranks left a profile"),
            std::string::npos);
}

TEST(ranks, a_run_of_one_process_stays_as_it_is) {
  const job j{.main = test::busy_run(), .file = "p"};
  const json d = report_of(j);
  EXPECT_FALSE(d.contains("ranks"));
  EXPECT_EQ(d.at("workers"), 2);
}

}  // namespace
}  // namespace kasuri::report
