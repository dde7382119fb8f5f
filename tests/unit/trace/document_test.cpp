// SPDX-License-Identifier: Apache-2.0
// What the document says about recordings whose events are known.
#include "unit/trace/document.hpp"
#include "unit/trace/synthetic.hpp"

#include <gtest/gtest.h>

namespace kasuri::test {
namespace {

using enum record::event_kind;
using record::wait_reason;

// Worker 1 steals a task that waits at a mutex there and goes on on worker 0.
synthetic_recording two_workers() {
  synthetic_recording made;
  made.block(0, {{100, task_begin, 1}, {200, spawn, 2}, {5200, task_end, 1}});
  made.block(1, {{0, park},
                 {300, wake},
                 {400, steal, 2, 0, 1},
                 {450, task_begin, 2},
                 {1450, suspend, 2, record::no_peer, static_cast<std::uint8_t>(wait_reason::mutex)},
                 {1500, park}});
  made.block(0, {{8200, resume, 2}, {8700, join, 9}, {9200, task_end, 2}});
  made.block(1, {{9300, wake}});
  return made.clean();
}

TEST(Document, TasksAreSlicesOnTheirWorkers) {
  const outcome result = trace_bytes(two_workers().bytes());
  ASSERT_EQ(result.status, 0) << result.err;
  const auto tasks = result.events("X", "task");
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_EQ(tasks[0]["tid"], 0);
  EXPECT_EQ(nanoseconds(tasks[0]["ts"]), 100);
  EXPECT_EQ(nanoseconds(tasks[0]["dur"]), 5100);
  EXPECT_EQ(tasks[0]["args"], (json{{"id", "0x1"}}));
  EXPECT_EQ(tasks[1]["tid"], 1);
  EXPECT_EQ(tasks[1]["args"], (json{{"id", "0x2"}, {"left for", "mutex"}}));
  EXPECT_EQ(tasks[2]["tid"], 0);
  EXPECT_EQ(tasks[2]["args"], (json{{"id", "0x2"}, {"resumed", true}}));
  for (const json& task : tasks) EXPECT_EQ(task["pid"], 77);
  EXPECT_TRUE(slices_nest(result));
}

TEST(Document, IdleIsWhatLiesBetween) {
  const outcome result = trace_bytes(two_workers().bytes());
  const auto idle = result.events("X", "idle");
  ASSERT_EQ(idle.size(), 1u) << "worker 0 between its two tasks; the rest is too short";
  EXPECT_EQ(idle[0]["tid"], 0);
  EXPECT_EQ(nanoseconds(idle[0]["ts"]), 5200);
  EXPECT_EQ(nanoseconds(idle[0]["dur"]), 3000);
  const auto parked = result.events("X", "parked");
  ASSERT_EQ(parked.size(), 2u);
  EXPECT_EQ(nanoseconds(parked[0]["dur"]), 300);
  EXPECT_EQ(nanoseconds(parked[1]["dur"]), 7800);
}

TEST(Document, StealsAreInstantsWithArrows) {
  const outcome result = trace_bytes(two_workers().bytes());
  const auto steals = result.events("i", "steal");
  ASSERT_EQ(steals.size(), 1u);
  EXPECT_EQ(steals[0]["tid"], 1);
  EXPECT_EQ(steals[0]["args"], (json{{"id", "0x2"}, {"victim", 0}, {"level", 1}}));
  const auto from = result.events("s");
  const auto to = result.events("f");
  ASSERT_EQ(from.size(), 1u);
  ASSERT_EQ(to.size(), 1u);
  EXPECT_EQ(from[0]["tid"], 0);
  EXPECT_EQ(to[0]["tid"], 1);
  EXPECT_EQ(from[0]["id"], to[0]["id"]);
  EXPECT_EQ(result.events("i", "spawn").size(), 1u);
  EXPECT_EQ(result.events("i", "join").size(), 1u);
}

TEST(Document, SuspensionsHaveABeginWithAReasonAndAnEnd) {
  const outcome result = trace_bytes(two_workers().bytes());
  const auto begins = result.events("b", "suspended");
  const auto ends = result.events("e", "suspended");
  ASSERT_EQ(begins.size(), 1u);
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_EQ(begins[0]["args"]["reason"], "mutex");
  EXPECT_EQ(begins[0]["id"], ends[0]["id"]);
  EXPECT_EQ(nanoseconds(begins[0]["ts"]), 1450);
  EXPECT_EQ(nanoseconds(ends[0]["ts"]), 8200);
}

TEST(Document, SaysWhereItComesFrom) {
  const outcome result = trace_bytes(two_workers().bytes());
  const json& other = result.document.at("otherData");
  EXPECT_EQ(other["program"], "a \"strange\" \xef\xbf\xbd name");
  EXPECT_EQ(other["build_id"], "ab01");
  EXPECT_EQ(other["workers"], 2);
  EXPECT_EQ(other["events"], 13);
  EXPECT_EQ(other["events_lost"], 0);
  std::vector<std::string> names;
  for (const json& e : result.events("M", "thread_name")) names.push_back(e["args"]["name"]);
  EXPECT_EQ(names, (std::vector<std::string>{"worker 0", "worker 1"}));
  EXPECT_EQ(result.err.find("warning"), std::string::npos) << result.err;
}

TEST(Document, NestedSlicesOfEveryKind) {
  synthetic_recording made;
  made.block(4,
             {{0, spare_begin, 0, 1},
              {10, task_begin, 1},
              {20, task_begin, 2},
              {30, blocking_begin, 2},
              {40, blocking_end, 2},
              {50, task_end, 2},
              {60, task_end, 1},
              {70, spare_end, 0, 1}},
             0, record::worker_role::spare);
  const outcome result = trace_bytes(made.clean().bytes());
  EXPECT_EQ(result.events("X").size(), 4u);
  ASSERT_EQ(result.events("X", "spare").size(), 1u);
  EXPECT_EQ(result.events("X", "spare")[0]["args"], (json{{"for worker", 1}}));
  EXPECT_EQ(nanoseconds(result.events("X", "blocking")[0]["dur"]), 10);
  EXPECT_EQ(result.events("M", "thread_name")[0]["args"]["name"], "spare 4");
  EXPECT_TRUE(slices_nest(result));
}

TEST(Document, WaitsLieInTheTaskThatWaited) {
  synthetic_recording made;
  const auto barrier = static_cast<std::uint8_t>(record::wait_reason::openmp_barrier);
  made.block(0,
             {{10, task_begin, 1},
              {50, waited, start_ticks + 20, record::no_peer, barrier},
              {90, waited, start_ticks + 5, record::no_peer, barrier},  // damaged: before the task
              {100, task_end, 1}});
  const outcome result = trace_bytes(made.clean().bytes());
  const auto waits = result.events("X", "waiting");
  ASSERT_EQ(waits.size(), 2u);
  EXPECT_EQ(nanoseconds(waits[0]["dur"]), 30);
  EXPECT_EQ(nanoseconds(waits[1]["dur"]), 40);
  EXPECT_EQ(waits[0]["args"], (json{{"for", "OpenMP barrier"}}));
  EXPECT_TRUE(slices_nest(result));
}

TEST(Document, AGuestBetweenTwoCallsIsNotIdle) {
  synthetic_recording made;
  made.block(
      2, {{0, task_begin, 1}, {10, task_end, 1}, {90'000, task_begin, 2}, {90'010, task_end, 2}}, 0,
      record::worker_role::guest);
  EXPECT_TRUE(trace_bytes(made.clean().bytes()).events("X", "idle").empty());
}

TEST(Document, AGapClosesWhatWasOpenAndIsShown) {
  synthetic_recording made;
  made.block(0,
             {{0, task_begin, 1},
              {10, task_begin, 2},
              {100, lost, 50},
              {900, task_end, 3},
              {950, task_end, 1},
              {1000, task_begin, 4},
              {2000, task_end, 4}},
             50);
  const outcome result = trace_bytes(made.clean().bytes());
  ASSERT_EQ(result.status, 0);
  const auto gaps = result.events("X", "events lost");
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(nanoseconds(gaps[0]["ts"]), 100);
  EXPECT_EQ(nanoseconds(gaps[0]["dur"]), 800);
  EXPECT_EQ(gaps[0]["args"]["events"], 50);
  const auto tasks = result.events("X", "task");
  ASSERT_EQ(tasks.size(), 3u);
  for (int i : {0, 1}) {
    EXPECT_EQ(tasks[i]["args"]["end"], "not recorded");
    EXPECT_EQ(nanoseconds(tasks[i]["ts"]) + nanoseconds(tasks[i]["dur"]), 100);
  }
  EXPECT_FALSE(tasks[2]["args"].contains("end"));
  EXPECT_EQ(result.document["otherData"]["events_lost"], 50);
  EXPECT_NE(result.err.find("50 events were lost"), std::string::npos) << result.err;
  EXPECT_TRUE(slices_nest(result));
}

TEST(Document, LossAtTheVeryEndIsShownToo) {
  synthetic_recording made;
  made.block(0, {{0, task_begin, 1}}, 7).block(1, {{5000, park}});
  const outcome result = trace_bytes(made.clean().bytes());
  const auto gaps = result.events("X", "events lost");
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(nanoseconds(gaps[0]["dur"]), 5000) << "to the end of the recording";
  EXPECT_EQ(gaps[0]["args"]["events"], 7);
  EXPECT_EQ(result.document["otherData"]["events_lost"], 7);
}

TEST(Document, AKilledProgramIsConvertedWithAWarning) {
  synthetic_recording made;
  made.block(0, {{0, task_begin, 1}, {500, spawn, 2}}).block(1, {{2000, park}});
  const outcome result = trace_bytes(made.bytes());
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.err.find("has no end"), std::string::npos) << result.err;
  const auto tasks = result.events("X", "task");
  ASSERT_EQ(tasks.size(), 1u);
  EXPECT_EQ(nanoseconds(tasks[0]["dur"]), 2000) << "it went on to the end of the recording";
}

TEST(Document, EventsWithoutAPartnerAreCounted) {
  synthetic_recording made;
  made.block(0, {{0, blocking_begin}, {1, task_end, 1}, {2, wake}, {3, task_begin, 2}, {4, park}});
  const outcome result = trace_bytes(made.clean().bytes());
  EXPECT_NE(result.err.find("4 begin or end events have no partner"), std::string::npos);
  const auto tasks = result.events("X", "task");
  ASSERT_EQ(tasks.size(), 1u);
  EXPECT_EQ(nanoseconds(tasks[0]["dur"]), 1) << "who parks runs nothing";
}

// A task that blocks becomes a thread, which has an id of its own.
TEST(Document, ATaskMayLeaveUnderAnotherId) {
  synthetic_recording made;
  constexpr auto mutex = static_cast<std::uint8_t>(wait_reason::mutex);
  made.block(0, {{0, task_begin, 1},
                 {10, suspend, 100, record::no_peer, mutex},
                 {20, resume, 100, record::no_peer, mutex},
                 {30, task_end, 1}});
  const outcome result = trace_bytes(made.clean().bytes());
  const auto tasks = result.events("X", "task");
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0]["args"], (json{{"id", "0x1"}, {"left as", "0x64"}, {"left for", "mutex"}}));
  EXPECT_EQ(tasks[1]["args"], (json{{"id", "0x64"}, {"left as", "0x1"}, {"resumed", true}}));
  EXPECT_EQ(result.err.find("warning"), std::string::npos) << result.err;
}

TEST(Document, SteppingAsideForAChildIsNoWait) {
  synthetic_recording made;
  constexpr auto aside = static_cast<std::uint8_t>(wait_reason::child_first);
  made.block(0, {{0, task_begin, 1}, {10, suspend, 1, record::no_peer, aside}});
  made.block(1, {{20, resume, 1, record::no_peer, aside}, {30, task_end, 1}});
  const outcome result = trace_bytes(made.clean().bytes());
  EXPECT_TRUE(result.events("b").empty());
  EXPECT_TRUE(result.events("e").empty());
  EXPECT_EQ(result.events("X", "task")[0]["args"]["left for"], "child first");
}

TEST(Document, TimesThatGoBackwardsAreHeld) {
  synthetic_recording made;
  made.block(0,
             {{500, task_begin, 1}, {400, task_begin, 2}, {300, task_end, 2}, {600, task_end, 1}});
  const outcome result = trace_bytes(made.clean().bytes());
  EXPECT_EQ(nanoseconds(result.events("X", "task")[0]["ts"]), 500);
  EXPECT_TRUE(slices_nest(result));
}

TEST(Document, AnEmptyRecordingIsAValidDocument) {
  const outcome result = trace_bytes(synthetic_recording().clean().bytes());
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.document["otherData"]["events"], 0);
}

TEST(Summary, CountsAndTimes) {
  const outcome result = trace_bytes(two_workers().bytes(), true, false);
  EXPECT_EQ(result.status, 0);
  EXPECT_FALSE(result.written) << "only the summary was asked for";
  EXPECT_NE(result.out.find("process 77: 0.000009 s recorded, 13 events, 0 lost"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("suspended for: mutex 1"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("level 1 1"), std::string::npos) << result.out;
  std::istringstream worker(result.out.substr(result.out.find("worker 0")));
  std::string word;
  std::vector<std::string> words;
  for (int i = 0; i < 12 && worker >> word; ++i) words.push_back(word);
  EXPECT_EQ(words, (std::vector<std::string>{"worker", "0", "1", "0", "1", "0", "0.006", "0.000",
                                             "0.000", "0.003", "0.000", "0"}));
}

}  // namespace
}  // namespace kasuri::test
