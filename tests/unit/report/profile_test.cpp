// SPDX-License-Identifier: Apache-2.0
#include "report/profile.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace kasuri::report {
namespace {

constexpr const char* snapshot =
    R"({"kasuri_profile":1,"program":"p","arguments":["p","x"],"seconds":1.5,"last":true,)"
    R"("workers":2,"sites":[{"id":3,"kind":"loop","address":"0x10","work_s":1}],)"
    R"("phases":[{"site":3,"region":3,"kind":"loop","count":5,"members":2,"busy_s":2,)"
    R"("max_s":1.2,"mean_s":1,"wait_s":0.4,"worst":[5,0]}],)"
    R"("runtimes":[{"name":"oneTBB","stays":7,"s":0.5}],"future":{"a":1}})";

class file_of {
 public:
  explicit file_of(const std::string& text)
      : path_(::testing::TempDir() + "profile_" + std::to_string(getpid())) {
    std::ofstream(path_) << text;
  }
  ~file_of() { std::filesystem::remove(path_); }
  file_of(const file_of&) = delete;
  file_of& operator=(const file_of&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string problem_of(const std::string& text) {
  try {
    read_profile(file_of(text).path());
  } catch (const bad_profile& problem) {
    return problem.what();
  }
  return "";
}

TEST(profile, reads_what_it_knows_and_passes_over_the_rest) {
  const profile p = parse_profile(snapshot);
  EXPECT_EQ(p.program, "p");
  EXPECT_EQ(p.arguments.size(), 2U);
  EXPECT_DOUBLE_EQ(p.seconds, 1.5);
  EXPECT_TRUE(p.last);
  ASSERT_EQ(p.sites.count(3), 1U);
  EXPECT_EQ(p.sites.at(3).address, 0x10U);
  ASSERT_EQ(p.phases.size(), 1U);
  EXPECT_DOUBLE_EQ(p.phases[0].max_s, 1.2);
  EXPECT_EQ(p.phases[0].worst.size(), 2U);
  ASSERT_EQ(p.runtimes.size(), 1U);
  EXPECT_EQ(p.runtimes[0].name, "oneTBB");
  EXPECT_DOUBLE_EQ(p.runtimes[0].stays, 7);
  EXPECT_DOUBLE_EQ(p.runtimes[0].s, 0.5);
}

TEST(profile, takes_the_last_whole_line) {
  const std::string first = R"({"kasuri_profile":1,"program":"p","seconds":1})";
  EXPECT_DOUBLE_EQ(read_profile(file_of(first + "\n" + snapshot + "\n").path()).seconds, 1.5);
  EXPECT_DOUBLE_EQ(
      read_profile(file_of(first + "\n" + std::string(snapshot).substr(0, 40)).path()).seconds, 1);
}

TEST(profile, says_what_is_no_profile) {
  EXPECT_EQ(problem_of(""), "holds no whole snapshot");
  EXPECT_EQ(problem_of("{\"kasuri_profile\":1"), "holds no whole snapshot");
  EXPECT_EQ(problem_of("hello\n"), "is no profile");
  EXPECT_EQ(problem_of("[1]\n"), "is no profile");
  EXPECT_EQ(problem_of("{\"kasuri_profile\":9}\n"),
            "has format version 9, this command reads version 1");
}

TEST(profile, fields_of_another_type_count_as_missing) {
  const profile p = parse_profile(R"({"kasuri_profile":1,"seconds":"long","workers":1.5,)"
                                  R"("locks":{"wait_s":1},"samples":[1,{"pc":7,"site":"x"}]})");
  EXPECT_DOUBLE_EQ(p.seconds, 0);
  EXPECT_EQ(p.workers, 0);
  EXPECT_TRUE(p.locks.empty());
  ASSERT_EQ(p.samples.size(), 1U);
  EXPECT_EQ(p.samples[0].pc, 7U);
}

}  // namespace
}  // namespace kasuri::report
