// SPDX-License-Identifier: Apache-2.0
// Runs of which all is known, as profiles.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "predict/model.hpp"
#include "predict/outcome.hpp"
#include "simulate/machines.hpp"

namespace kasuri::predict {
namespace {

report::profile run_of(int workers, double seconds, double work, double span) {
  report::profile p;
  p.workers = workers;
  p.seconds = seconds;
  p.last = true;
  p.critical = {.work_s = work, .span_s = span, .burdened_s = span, .path = {{0, span}}};
  return p;
}

/// One loop of 1000 even iterations with so much work, in a tree.
std::string loop_of(double work) {
  const auto ns = static_cast<long long>(work * 1e9);
  return R"({"tree": {"complete": true, "nodes": [[0, 0, 0, -1, -1, -1, 0, )" + std::to_string(ns) +
         ", " + std::to_string(ns / 1000) + ", 1000]]}}";
}

template <class Look>
void with_model(const report::profile& p, Look look) {
  const report::places where(p);
  const report::measures m(p, nullptr, where);
  look(model(m, {.machine = simulate::machine_of("64x1"), .costs = {}}));
}

TEST(Model, ALoopThatOneWorkerRanAloneIsDivided) {
  report::profile p = run_of(1, 1.1, 1.1, 0.1);
  p.forks = loop_of(1);
  with_model(p, [](const model& m) {
    EXPECT_EQ(m.recorded_on(), 1);
    EXPECT_NEAR(m.on(1).expected, 1.1, 1e-3);
    EXPECT_NEAR(m.on(2).expected, 0.6, 0.02);
    EXPECT_NEAR(m.on(16).expected, 0.1 + 1.0 / 16, 0.01);
    EXPECT_EQ(m.largest_part(1), "tasks");
    EXPECT_EQ(m.largest_part(64), "serial");
  });
}

// Both runs of one program say the same.
TEST(Model, OneAndTwoWorkersSayTheSame) {
  report::profile one = run_of(1, 1.1, 1.1, 0.1);
  report::profile two = run_of(2, 0.6, 1.1, 0.1);
  one.forks = two.forks = loop_of(1);
  with_model(one, [&](const model& a) {
    with_model(two, [&](const model& b) {
      for (const int p : {1, 2, 4, 16, 64})
        EXPECT_NEAR(a.on(p).expected, b.on(p).expected, 0.02 * b.on(p).expected) << p;
    });
  });
}

TEST(Model, AProgramOfOneThreadHasNoPool) {
  report::profile p = run_of(0, 1, 1, 1);
  p.critical.path = {{0, 0.2}, {1, 0.8}};
  p.sites[1] = {.code = 0, .kind = "region", .address = 0, .work_s = 0.8};
  p.regions.push_back({.site = 1, .count = 1, .members = 1, .wall_s = 0.8, .busy_s = 0.8});
  p.phases.push_back({.site = 1,
                      .region = 1,
                      .kind = "region",
                      .count = 1,
                      .members = 1,
                      .busy_s = 0.8,
                      .max_s = 0.8,
                      .mean_s = 0.8});
  with_model(p, [](const model& m) {
    EXPECT_EQ(m.recorded_on(), 1);
    EXPECT_NEAR(m.on(1).expected, 1, 1e-9);
    EXPECT_NEAR(m.on(4).expected, 0.4, 1e-9);
    EXPECT_TRUE(std::ranges::any_of(m.doubts(), [](const std::string& d) {
      return d.find("profile of two workers") != std::string::npos;
    }));
  });
}

TEST(Model, WhatOthersTookIsNoPartOfIt) {
  report::profile p = run_of(1, 3, 1.1, 0.1);
  p.forks = loop_of(1);
  p.machine.others_s = 4;
  p.threads.push_back({.tid = 1, .name = "program", .processor_s = 1.1, .run_delay_s = 1.9});
  with_model(p, [](const model& m) {
    EXPECT_NEAR(m.on(1).expected, 1.1, 1e-3);
    EXPECT_FALSE(m.doubts().empty());
  });
}

// Two workers, beside a program that took half of the processors.
TEST(Model, WhatOthersTookIsWhatTheReportHas) {
  report::profile p = run_of(2, 1.53, 1.48, 0.9);
  p.machine.others_s = 1.53;
  for (const int tid : {1, 2}) {
    p.threads.push_back({.tid = tid, .name = "program", .processor_s = 0.75, .run_delay_s = 0.77});
    p.accounts.push_back(
        {.worker = tid, .tid = tid, .role = "worker", .work_s = 0.74, .off_core_s = 0.75});
  }
  const report::places where(p);
  const report::measures m(p, nullptr, where);
  const model both(m, {.machine = simulate::machine_of("64x1"), .costs = {}});
  EXPECT_NEAR(both.recorded(), m.seconds(), 1e-9);
  EXPECT_NEAR(both.recorded(), 0.78, 1e-9);
  EXPECT_EQ(both.doubts().front().find("other programs had the processor for 49 %"), 0U)
      << both.doubts().front();
}

TEST(Model, NoRunIsShorterThanItsWorkOnAllWorkers) {
  report::profile p = run_of(2, 1.5, 1.5, 0.9);
  p.machine.others_s = 3;
  for (const int tid : {1, 2}) {
    p.threads.push_back({.tid = tid, .name = "program", .processor_s = 0.75, .run_delay_s = 1.4});
    p.accounts.push_back(
        {.worker = tid, .tid = tid, .role = "worker", .work_s = 0.1, .off_core_s = 1.4});
  }
  with_model(p, [](const model& m) { EXPECT_NEAR(m.recorded(), 0.75, 1e-9); });
}

TEST(Model, ForksAreTooShortToTellFromTwelveNanosecondsDown) {
  for (const bool is_short : {true, false}) {
    report::profile p = run_of(1, 1.1, 1.1, 0.1);
    p.forks = loop_of(1);
    p.sites[1] = {.code = 0, .kind = "fork", .address = 0, .work_s = 1};
    p.tasks.push_back({.site = 1, .kind = "fork", .count = is_short ? 1e8 : 5e7, .work_s = 1});
    with_model(p, [&](const model& m) {
      EXPECT_EQ(std::ranges::count_if(m.doubts(),
                                      [](const std::string& d) {
                                        return d.find("a side of a fork") != std::string::npos;
                                      }),
                is_short ? 1 : 0);
    });
  }
}

TEST(Page, HasACurveAndNothingOfTheProgramsNameIsMarkup) {
  outcome all{.program = "<b>&x", .recorded_on = 2, .recorded = 1, .work = 2, .on_one = 2};
  for (const int p : {1, 2, 4})
    all.predictions.push_back({p, {1.9 / p, 2.0 / p, 2.2 / p}, "<serial>"});
  all.measured = {{2, 1.05}};
  all.notes = {"a < b"};
  const std::string page = page_of(all);
  EXPECT_NE(page.find("&lt;b&gt;&amp;x"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("&lt;serial&gt;"), std::string::npos);
  EXPECT_NE(page.find("a &lt; b"), std::string::npos);
  EXPECT_NE(page.find("class='band'"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
}

TEST(Page, OnePointIsAPageToo) {
  outcome all{.program = "x", .recorded_on = 1, .recorded = 1, .work = 1, .on_one = 1};
  all.predictions.push_back({1, {1, 1, 1}, "serial"});
  EXPECT_EQ(page_of(all).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace kasuri::predict
