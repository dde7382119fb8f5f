// SPDX-License-Identifier: Apache-2.0
// Each rule on profiles of which the answer is known by arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "profiles.hpp"
#include "report/finding.hpp"
#include "report/measures.hpp"

namespace kasuri::report {
namespace {

using test::busy_run;
using test::idle_run;

std::vector<finding> findings_of(const profile& p, const profile* one = nullptr) {
  const places where(p);
  return find_all(measures(p, one, where));
}

std::vector<std::string> rules_of(const profile& p, const profile* one = nullptr) {
  std::vector<std::string> names;
  for (const finding& f : findings_of(p, one)) names.push_back(f.rule);
  return names;
}

using names = std::vector<std::string>;

TEST(rules, say_nothing_of_a_run_that_worked_all_the_time) {
  EXPECT_EQ(rules_of(busy_run()), names());
}

TEST(rules, serial_code_gains_what_the_others_would_have_done_of_it) {
  profile p = busy_run();
  p.accounts[0].work_s = 1;
  p.accounts[1].work_s = 1;
  p.accounts[1].idle_empty_s = 1;
  p.series = {.bin_s = 1,
              .seconds = {1, 1},
              .running = {0, 2},
              .waiting = {0, 0},
              .blocked = {0, 0},
              .ready = {0, 0},
              .serial = {1, 0}};
  p.samples.push_back({.pc = 0x10, .processor_s = 1, .alone_s = 1, .blamed_s = 1});
  const auto found = findings_of(p);
  ASSERT_EQ(rules_of(p), names{"serial"});
  EXPECT_DOUBLE_EQ(found[0].gain_s, 0.5);
}

TEST(rules, idle_workers_inside_of_constructs_are_want_of_parallelism) {
  profile p = idle_run(1);
  p.samples.push_back({.pc = 0x10, .site = 7, .processor_s = 2, .alone_s = 1, .blamed_s = 1});
  const auto found = findings_of(p);
  ASSERT_EQ(rules_of(p), names{"parallelism"});
  EXPECT_DOUBLE_EQ(found[0].gain_s, 0.5);
}

TEST(rules, a_few_long_tasks_are_told_from_too_little_parallelism) {
  profile p = idle_run(1);
  p.tasks.push_back({.site = 7, .kind = "group_task", .count = 3, .work_s = 3});
  p.samples.push_back({.pc = 0x10, .site = 7, .processor_s = 3, .alone_s = 1, .blamed_s = 1});
  EXPECT_EQ(rules_of(p), names{"uneven_tasks"});
  p.samples.push_back({.pc = 0x20, .site = 8, .processor_s = 3, .alone_s = 3, .blamed_s = 3});
  EXPECT_EQ(rules_of(p), names{"parallelism"});
}

TEST(rules, dependences_are_told_from_too_little_parallelism) {
  profile p = idle_run(1.5);
  p.tasks.push_back({.site = 7, .kind = "task", .count = 100, .work_s = 2.5, .dependences = 100});
  EXPECT_EQ(rules_of(p), names{"dependences"});
}

TEST(rules, members_that_wait_for_tasks_of_others_show_no_imbalance) {
  profile p = idle_run(1.5);
  p.tasks.push_back({.site = 7, .kind = "task", .count = 100, .work_s = 2.5, .dependences = 100});
  p.phases.push_back({.site = 7,
                      .kind = "region",
                      .count = 1,
                      .members = 2,
                      .max_s = 2,
                      .mean_s = 1.25,
                      .worst = {1, 0}});
  EXPECT_EQ(rules_of(p), names{"dependences"});
  p.phases[0].kind = "loop";
  EXPECT_EQ(rules_of(p), (names{"dependences", "imbalance"}));
}

TEST(rules, a_lock_gains_what_was_waited_for_it) {
  profile p = busy_run();
  for (account& a : p.accounts) {
    a.work_s = 1.5;
    a.waiting_s = 0.5;
  }
  p.locks.push_back(
      {.site = 7, .holder = 7, .count = 10, .contended = 5, .wait_s = 1, .held_s = 1.8});
  const auto found = findings_of(p);
  ASSERT_EQ(rules_of(p), names{"lock"});
  EXPECT_DOUBLE_EQ(found[0].gain_s, 0.5);
}

TEST(rules, a_mutex_of_the_system_is_a_lock) {
  profile p = busy_run();
  p.accounts[1].work_s = 1;
  p.accounts[1].off_core_s = 1;
  p.waits.push_back({.pc = 1, .caller = 2, .call = "futex()", .in_pool = true, .s = 1});
  EXPECT_EQ(rules_of(p), names{"lock"});
}

TEST(rules, an_uneven_loop_gains_the_distance_to_the_mean) {
  profile p = busy_run();
  p.accounts[1].work_s = 1.2;
  p.accounts[1].waiting_s = 0.8;
  p.phases.push_back({.site = 7,
                      .region = 7,
                      .kind = "loop",
                      .count = 4,
                      .members = 2,
                      .busy_s = 3.2,
                      .max_s = 2,
                      .mean_s = 1.6,
                      .wait_s = 0.8,
                      .worst = {4, 0}});
  const auto found = findings_of(p);
  ASSERT_EQ(rules_of(p), names{"imbalance"});
  EXPECT_NEAR(found[0].gain_s, 0.4, 1e-12);
  EXPECT_NE(found[0].sentence.find("thread 0"), std::string::npos) << found[0].sentence;
}

TEST(rules, a_loop_that_is_dealt_out_already_is_not_told_to_be) {
  profile p = busy_run();
  p.accounts[1].work_s = 1.2;
  p.accounts[1].waiting_s = 0.8;
  p.phases.push_back({.site = 8,
                      .region = 7,
                      .kind = "loop",
                      .count = 1,
                      .members = 2,
                      .busy_s = 3.2,
                      .max_s = 2,
                      .mean_s = 1.6,
                      .wait_s = 0.8,
                      .worst = {1, 0}});
  auto found = findings_of(p);
  ASSERT_EQ(rules_of(p), names{"imbalance"});
  EXPECT_EQ(found[0].sentence.find("In the loop that ends"), 0U) << found[0].sentence;
  EXPECT_NE(found[0].advice.find("schedule(dynamic)"), std::string::npos) << found[0].advice;
  p.loops.push_back({.site = 8, .schedule = "dynamic", .count = 1, .iterations = 9, .chunks = 9});
  found = findings_of(p);
  EXPECT_EQ(found[0].sentence.find("In the loop thread 0"), 0U) << found[0].sentence;
  EXPECT_EQ(found[0].advice.find("schedule(dynamic)"), std::string::npos) << found[0].advice;
}

TEST(rules, tasks_that_sleep_in_the_system_are_blocked) {
  profile p = busy_run();
  p.accounts[0].work_s = 1;
  p.accounts[0].off_core_s = 1;
  p.waits.push_back({.pc = 1, .caller = 2, .call = "read()", .in_pool = true, .s = 1});
  const auto found = findings_of(p);
  ASSERT_EQ(rules_of(p), names{"blocked"});
  EXPECT_NE(found[0].sentence.find("read()"), std::string::npos) << found[0].sentence;
}

TEST(rules, without_sleep_a_run_still_does_its_work) {
  profile p = busy_run();  // a spare worked while one slept: 3 s of work in 2 s
  p.accounts[0].work_s = 1;
  p.accounts[0].off_core_s = 1;
  p.accounts.push_back({.worker = 2, .role = "spare", .work_s = 0.5});
  p.accounts[1].work_s = 1.5;
  p.accounts[1].off_core_s = 0.5;
  p.waits.push_back({.pc = 1, .caller = 2, .call = "read()", .in_pool = true, .s = 1.5});
  const auto found = findings_of(p);
  ASSERT_EQ(rules_of(p), names{"blocked"});
  EXPECT_DOUBLE_EQ(found[0].gain_s, 0.5);
}

TEST(rules, sleep_is_as_long_as_the_accounts_say) {
  profile p = busy_run();
  p.accounts[0].work_s = 1;
  p.accounts[0].off_core_s = 1;
  p.waits.push_back({.pc = 1, .caller = 2, .call = "read()", .in_pool = true, .s = 0.3});
  p.waits.push_back({.pc = 3, .caller = 4, .call = "futex()", .in_pool = true, .s = 0.1});
  const auto found = findings_of(p);
  ASSERT_EQ(found.front().rule, "blocked");
  EXPECT_NE(found.front().sentence.find("750 ms in all"), std::string::npos)
      << found.front().sentence;
}

TEST(rules, sleep_outside_of_the_pool_is_nobodys_fault) {
  profile p = busy_run();
  p.waits.push_back({.pc = 1, .caller = 2, .call = "read()", .in_pool = false, .s = 2});
  EXPECT_EQ(rules_of(p), names());
}

TEST(rules, other_programs_come_first_and_make_the_rest_unsure) {
  profile p = busy_run();
  for (account& a : p.accounts) {
    a.work_s = 1;
    a.waiting_s = 0.6;
    a.off_core_s = 0.4;
  }
  p.accounts[0].tid = 1;
  p.accounts[1].tid = 2;
  p.threads = {{.tid = 1, .name = "a", .processor_s = 1, .run_delay_s = 0.4},
               {.tid = 2, .name = "b", .processor_s = 1, .run_delay_s = 0.4}};
  p.machine.others_s = 0.8;
  p.locks.push_back(
      {.site = 7, .holder = 7, .count = 10, .contended = 5, .wait_s = 1.2, .held_s = 1});
  const auto found = findings_of(p);
  ASSERT_EQ(rules_of(p), (names{"others", "lock"}));
  EXPECT_TRUE(found[0].sure);
  EXPECT_FALSE(found[1].sure);
}

TEST(rules, own_threads_that_share_a_processor_are_no_other_programs) {
  profile p = busy_run();
  p.accounts[0].work_s = 1;
  p.accounts[0].off_core_s = 1;
  p.accounts[0].tid = 1;
  p.threads = {{.tid = 1, .name = "a", .processor_s = 1, .run_delay_s = 1}};
  EXPECT_EQ(rules_of(p), names());
}

// Half of the time the only thread that could run did not: without the others the run takes 1 s, of
// which half is serial.
TEST(rules, other_programs_beside_serial_code_take_no_part_of_what_it_would_gain) {
  profile p = busy_run();
  p.accounts[0] = {.worker = 0, .tid = 1, .work_s = 0.5, .idle_empty_s = 1.5};
  p.accounts[1] = {.worker = 1, .tid = 2, .work_s = 0.5, .idle_empty_s = 1.5};
  p.series = {.bin_s = 2, .seconds = {2}, .running = {0.5}, .serial = {0.75}};
  p.threads = {{.tid = 3, .name = "a", .processor_s = 0.5, .run_delay_s = 1}};
  p.machine.others_s = 3;
  p.samples.push_back({.pc = 0x10, .processor_s = 0.5, .alone_s = 0.5, .blamed_s = 0.5});
  const places where(p);
  const measures m(p, nullptr, where);
  EXPECT_DOUBLE_EQ(m.others, 2);
  EXPECT_DOUBLE_EQ(m.seconds(), 1);
  EXPECT_DOUBLE_EQ(m.no_work, 0.5);
  const auto found = find_all(m);
  ASSERT_EQ(rules_of(p), (names{"others", "serial"}));
  EXPECT_DOUBLE_EQ(found[1].gain_s, 0.25);
}

TEST(rules, time_in_which_nothing_runs_at_all_is_no_want_of_parallelism) {
  profile p = idle_run(1);
  p.accounts[0].work_s = 1;
  p.accounts[0].idle_empty_s = 1;
  p.series = {.bin_s = 1, .seconds = {1, 1}, .running = {2, 0}, .asleep = {0, 1}};
  EXPECT_EQ(rules_of(p), names());
}

TEST(rules, checkouts_that_wait_name_the_rank_they_wait_for) {
  profile p = busy_run();
  p.checkouts.push_back({.site = 7, .count = 100, .wait_s = 0.4});
  p.write_back_s = 0.6;
  p.bytes_by_rank = {3e6, 0, 1e6};
  const auto found = findings_of(p);
  ASSERT_EQ(rules_of(p), names{"remote"});
  EXPECT_NE(found[0].sentence.find("75 % of 4 MB are of rank 0"), std::string::npos)
      << found[0].sentence;
}

TEST(rules, a_second_run_that_did_other_work_shows_no_stretch) {
  profile p = busy_run();
  p.samples.push_back({.pc = 0x10, .site = 7, .processor_s = 4});
  p.tasks.push_back({.site = 7, .kind = "group_task", .count = 3, .work_s = 4});
  profile one = busy_run();
  one.samples.push_back({.pc = 0x10, .site = 7, .processor_s = 2});
  one.tasks.push_back({.site = 7, .kind = "group_task", .count = 2, .work_s = 2});
  EXPECT_EQ(rules_of(p, &one), names());
}

TEST(rules, short_tasks_say_how_many_to_put_together) {
  profile p = busy_run();
  task_kind t{.site = 7, .kind = "group_task", .count = 4e7, .work_s = 3};
  t.log2_ns.resize(8);
  t.log2_ns[5] = 4e7;  // 32 to 64 ns
  p.tasks.push_back(t);
  const auto found = findings_of(p);
  ASSERT_EQ(rules_of(p), names{"short_tasks"});
  EXPECT_NE(found[0].advice.find("417"), std::string::npos) << found[0].advice;
}

// The recording of short tasks makes the run longer, and what is gained a smaller part of it.
TEST(rules, the_gain_of_short_tasks_is_that_of_a_run_without_a_recording) {
  profile p = busy_run();
  p.tasks.push_back({.site = 7, .kind = "group_task", .count = 2e7, .work_s = 1.5});
  const double recorded = findings_of(p).front().gain_s;
  p.critical.work_s = 1.5;
  const double without = findings_of(p).front().gain_s;
  EXPECT_GT(without, 1.5 * recorded);
}

TEST(rules, ready_tasks_that_waited_for_sleepers_are_told_from_those_behind_an_owner) {
  profile p = busy_run();
  p.accounts[1].work_s = 1;
  p.accounts[1].idle_ready_s = 1;
  p.series = {.bin_s = 1,
              .seconds = {1, 1},
              .running = {1, 2},
              .waiting = {0, 0},
              .blocked = {0, 0},
              .ready = {1, 0},
              .serial = {0, 0}};
  p.accounts[0].wakes = 10'000;
  EXPECT_EQ(rules_of(p), names{"wake"});
  p.accounts[0].wakes = 3;
  EXPECT_EQ(rules_of(p), names{"late_steal"});
}

// As tests/report/programs/tasks/bursts.cpp: the series looks too seldom to see who is on the way.
TEST(rules, sleepers_that_come_late_are_no_want_of_parallelism) {
  profile p = idle_run(0.5);
  p.accounts[1].late_s = 0.45;
  p.accounts[0].wakes = 5000;
  p.accounts[0].calling_s = 0.1;
  const auto found = findings_of(p);
  ASSERT_EQ(rules_of(p), names{"wake"});
  EXPECT_DOUBLE_EQ(found[0].gain_s, (0.45 + 0.1) / 2);
}

TEST(rules, a_program_that_was_killed_before_its_tasks_was_serial_until_then) {
  profile p;
  p.program = "prog";
  p.seconds = 2;
  p.machine.usable_cpus = 2;
  p.series = {.bin_s = 2, .seconds = {2}, .running = {0}, .serial = {1}};
  p.samples.push_back({.pc = 0x10, .processor_s = 2, .alone_s = 2});
  EXPECT_EQ(rules_of(p), names{"serial"});
  p.last = true;  // it has none
  EXPECT_EQ(rules_of(p), names());
}

TEST(rules, the_same_work_that_takes_longer_on_two_is_stretch) {
  profile p = busy_run();
  p.samples.push_back({.pc = 0x10, .site = 7, .processor_s = 4});
  profile one = busy_run();
  one.workers = 1;
  one.seconds = 2;
  one.samples.push_back({.pc = 0x10, .site = 7, .processor_s = 2});
  const auto found = findings_of(p, &one);
  ASSERT_EQ(rules_of(p, &one), names{"stretch"});
  EXPECT_DOUBLE_EQ(found[0].gain_s, 1);
}

/// Half of the work is done on node 1, and the memory lies on node 0.
profile run_on_two_nodes() {
  profile p = busy_run();
  p.accounts[1].node = 1;
  p.kib_by_node = {190e3, 10e3};
  p.samples.push_back({.pc = 0x10, .site = 7, .processor_s = 4});
  return p;
}

// As tests/report/programs/openmp/prefix.c beside other programs.
TEST(rules, members_that_are_late_by_turns_beside_other_programs_show_no_imbalance) {
  profile p = busy_run();
  p.accounts[1].work_s = 1.2;
  p.accounts[1].waiting_s = 0.8;
  p.phases.push_back({.site = 7,
                      .kind = "loop",
                      .count = 20,
                      .members = 2,
                      .max_s = 2,
                      .mean_s = 1.6,
                      .wait_s = 0.8,
                      .worst = {11, 9}});
  EXPECT_EQ(rules_of(p), names{"imbalance"});
  p.accounts[0].tid = 1;
  p.accounts[0].work_s = 1.6;
  p.accounts[0].off_core_s = 0.4;
  p.threads = {{.tid = 1, .name = "a", .processor_s = 1.6, .run_delay_s = 0.4}};
  p.machine.others_s = 0.4;
  EXPECT_EQ(rules_of(p), names{"others"});
}

TEST(rules, memory_on_one_node_is_why_work_takes_longer_on_all) {
  const profile p = run_on_two_nodes();
  profile one = busy_run();
  one.samples.push_back({.pc = 0x10, .site = 7, .processor_s = 3});
  const auto found = findings_of(p, &one);
  ASSERT_EQ(rules_of(p, &one), names{"first_touch"});
  EXPECT_DOUBLE_EQ(found[0].gain_s, 0.5);
  EXPECT_TRUE(found[0].sure);
  EXPECT_FALSE(findings_of(p).at(0).sure);
}

TEST(rules, memory_on_one_node_is_no_fault_where_it_costs_nothing) {
  profile p = run_on_two_nodes();
  const profile one = p;
  EXPECT_EQ(rules_of(p, &one), names());  // as long on one worker
  p.kib_by_node = {110e3, 90e3};
  EXPECT_EQ(rules_of(p), names());
}

TEST(measures, shares_add_up_to_workers_times_seconds) {
  profile p = idle_run(0.7);
  p.accounts[0].off_core_s = 0.5;
  p.accounts.push_back(
      {.worker = 2, .role = "guest", .work_s = 1, .idle_empty_s = 0.5, .blocked_s = 3});
  p.locks.push_back({.wait_s = 9});
  const places where(p);
  const measures m(p, nullptr, where);
  const auto shares = m.shares();
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0,
                                     [](double s, const share& each) { return s + each.seconds; });
  EXPECT_NEAR(sum, 4, 1e-9);
  for (const share& s : shares) EXPECT_GE(s.seconds, 0) << s.name;
}

TEST(rules, at_most_three_are_said_the_greatest_gain_first) {
  profile p = idle_run(0.5);
  p.accounts[0].work_s = 1;
  p.accounts[0].waiting_s = 1;
  p.locks.push_back({.site = 7, .holder = 7, .count = 1, .contended = 1, .wait_s = 0.5});
  p.phases.push_back({.site = 7,
                      .kind = "loop",
                      .count = 1,
                      .members = 2,
                      .max_s = 1.5,
                      .mean_s = 1.2,
                      .wait_s = 0.4,
                      .worst = {1, 0}});
  p.waits.push_back({.call = "read()", .in_pool = true, .s = 0.3});
  const auto found = findings_of(p);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(found, std::greater{}, &finding::gain_s));
}

}  // namespace
}  // namespace kasuri::report
