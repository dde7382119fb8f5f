// SPDX-License-Identifier: Apache-2.0
// The words of a report: its headline, its answer, and what stands with which figure.
#include "report/document.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "profiles.hpp"
#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {
namespace {

using test::busy_run;

nlohmann::json document_of(const profile& p, const profile* one = nullptr) {
  const places where(p);
  const measures m(p, one, where);
  return document(m, find_all(m));
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Two workers, of which other programs took `part`.
profile disturbed_run(double part) {
  profile p = busy_run();
  p.machine.others_s = 4 * part;
  for (account& a : p.accounts) {
    a.tid = 10 + a.worker;
    a.work_s = 2 * (1 - part);
    a.off_core_s = 2 * part;
    p.threads.push_back({.tid = a.tid,
                         .name = "kasuri-" + std::to_string(a.worker),
                         .processor_s = a.work_s,
                         .run_delay_s = a.off_core_s});
  }
  return p;
}

/// A program of OpenMP on one thread: no pool was started.
profile run_of_one_thread() {
  profile p;
  p.program = "prog";
  p.seconds = 1;
  p.last = true;
  p.critical = {.work_s = 1, .span_s = 1, .burdened_s = 1, .path = {{0, 0.25}, {7, 0.75}}};
  p.sites[7] = {.kind = "region", .address = 0x1000, .work_s = 0.75};
  p.regions.push_back({.site = 7, .kind = "region", .count = 2, .members = 1, .busy_s = 0.75});
  return p;
}

TEST(document, runtimes_that_workers_were_in_are_named) {
  profile p = busy_run();
  EXPECT_FALSE(holds(text(document_of(p)), "runtimes"));
  p.runtimes = {{.name = "oneTBB", .stays = 3, .s = 0.5}, {.name = "OpenBLAS", .stays = 9, .s = 1}};
  const nlohmann::json d = document_of(p);
  EXPECT_EQ(d["runtimes"][0]["name"], "oneTBB");
  EXPECT_EQ(d["runtimes"][1]["stays"], 9);
  EXPECT_TRUE(holds(text(d), "Workers were in other runtimes: oneTBB 500 ms, OpenBLAS 1.00 s.\n"))
      << text(d);
}

TEST(document, a_quiet_run_has_its_ratio_in_the_headline) {
  EXPECT_EQ(document_of(busy_run())["headline"],
            "2.00 s on 2 workers: about 2.00 times as fast as one worker (100 %)");
}

TEST(document, beside_other_programs_the_ratio_is_not_that_of_the_times) {
  const profile one = [] {
    profile p = busy_run();
    p.workers = 1;
    p.accounts.pop_back();
    return p;
  }();
  EXPECT_EQ(document_of(disturbed_run(0.25), &one)["headline"],
            "2.00 s on 2 workers, 2.00 s on one; without what other programs took, about 1.33 "
            "times as fast as one worker (67 %)");
}

TEST(document, a_run_that_is_too_short_has_no_ratio) {
  profile p = busy_run();
  p.seconds = 0.01;
  const nlohmann::json d = document_of(p);
  EXPECT_EQ(d["answer"], "too_short");
  EXPECT_EQ(d["headline"], "10 ms on 2 workers");
}

TEST(document, a_run_on_one_thread_says_what_more_can_share) {
  const nlohmann::json d = document_of(run_of_one_thread());
  EXPECT_EQ(d["answer"], "one_worker");
  EXPECT_EQ(d["headline"], "1.00 s on 1 worker, which ran 2 parallel regions alone");
  const std::string words = text(d);
  EXPECT_TRUE(holds(words, "750 ms of its work lie in parallel regions")) << words;
  EXPECT_TRUE(holds(words, "the other 250 ms stay")) << words;
  EXPECT_TRUE(holds(words, "OMP_NUM_THREADS")) << words;
}

TEST(document, a_run_of_tasks_on_one_worker_has_its_longest_chain) {
  profile p = busy_run();
  p.workers = 1;
  p.accounts.pop_back();
  p.critical = {.work_s = 2, .span_s = 0.5, .burdened_s = 0.5, .path = {{0, 0.5}}};
  const std::string words = text(document_of(p));
  EXPECT_TRUE(holds(words, "at most 4 times as fast")) << words;
}

TEST(document, without_a_parallel_part_there_is_nothing_to_say) {
  profile p = run_of_one_thread();
  p.regions.clear();
  const nlohmann::json d = document_of(p);
  EXPECT_EQ(d["answer"], "no_pool");
  EXPECT_TRUE(holds(text(d), "without a parallel region or task")) << text(d);
}

TEST(document, what_is_unsure_is_the_sentence_and_not_the_advice) {
  nlohmann::json d = document_of(busy_run());
  d["findings"] = {{{"sentence", "It waits: at most 2 times as fast."},
                    {"advice", "Do not wait."},
                    {"confidence", "low"}}};
  EXPECT_TRUE(holds(text(d), "1. It waits: at most 2 times as fast (unsure).\n   Do not wait.\n"))
      << text(d);
}

TEST(words, one_worker_is_no_workers) {
  EXPECT_EQ(so_many_workers(1), "1 worker");
  EXPECT_EQ(so_many_workers(2), "2 workers");
}

TEST(words, a_construct_stands_behind_a_comma_in_parentheses) {
  place p{.file = "tri.c", .line = 40, .function = "energies (parallel region)", .module = "tri"};
  EXPECT_EQ(p.text(), "tri.c:40 (energies, parallel region)");
  p.function = "(task)";
  EXPECT_EQ(p.text(), "tri.c:40 (task)");
  p.function = "fib(int)";
  EXPECT_EQ(p.text(), "tri.c:40 (fib(int))");
}

}  // namespace
}  // namespace kasuri::report
