// SPDX-License-Identifier: Apache-2.0
// Random fork-join programs over global memory on the simulated network, against what they must
// read.
//
//   stress_cluster_memory                  some thousand programs, and the planted faults, as tests
//   stress_cluster_memory --seeds A..B     these programs
//   stress_cluster_memory --seed S         one

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cluster/memory/programs/play.hpp"
#include "support/scale.hpp"

namespace kasuri::test::global_programs {
namespace {

using cluster::planted_fault;

constexpr unsigned longest_s = 120;  // for one program; ten thousand times the usual

volatile unsigned long seed_now = 0;

void on_alarm(int) {
  char line[100];
  const int n = std::snprintf(line, sizeof line, "the program does not end: --seed %lu\n", seed_now);
  if (write(STDERR_FILENO, line, static_cast<std::size_t>(n)) < 0) _exit(3);
  abort();
}

outcome run_seed(std::uint64_t seed, planted_fault fault) {
  seed_now = seed;
  alarm(longest_s);
  const outcome o = play(make_script(seed), fault);
  alarm(0);
  return o;
}

TEST(RandomGlobalPrograms, ReadWhatTheSerialExecutionReads) {
  const std::uint64_t count = static_cast<std::uint64_t>(scaled(2000));
  cluster::memory_counts sum;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const outcome o = run_seed(seed, planted_fault::none);
    ASSERT_EQ(o.complaint, "") << "--seed " << seed;
    sum.evicted_blocks += o.counts.evicted_blocks;
    sum.overflows += o.counts.overflows;
    sum.unchanged += o.counts.unchanged;
    sum.refetched_bytes += o.counts.refetched_bytes;
    sum.notices_applied += o.counts.notices_applied;
  }
  // The programs go where it is difficult.
  EXPECT_GT(sum.evicted_blocks, 0U);
  EXPECT_GT(sum.overflows, 0U);
  EXPECT_GT(sum.unchanged, 0U);
  EXPECT_GT(sum.refetched_bytes, 0U);
  EXPECT_GT(sum.notices_applied, 0U);
}

class PlantedFault : public testing::TestWithParam<planted_fault> {};

TEST_P(PlantedFault, IsFound) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed)
    if (!run_seed(seed, GetParam()).complaint.empty()) return;
  FAIL() << "3000 programs ran as if nothing were wrong";
}

INSTANTIATE_TEST_SUITE_P(
    Each, PlantedFault,
    testing::Values(planted_fault::notice_skipped, planted_fault::write_back_skipped,
                    planted_fault::stamp_not_raised, planted_fault::nothing_passed_on,
                    planted_fault::eviction_forgotten, planted_fault::dirty_overwritten));

/// Programs [from, to]; the number of those that went wrong.
int run_seeds(std::uint64_t from, std::uint64_t to) {
  int wrong = 0;
  for (std::uint64_t seed = from; seed <= to; ++seed) {
    const outcome o = run_seed(seed, planted_fault::none);
    if (!o.complaint.empty()) {
      std::printf("seed %llu: %s", static_cast<unsigned long long>(seed), o.complaint.c_str());
      ++wrong;
    }
  }
  std::printf("%llu programs, %d wrong\n", static_cast<unsigned long long>(to - from + 1), wrong);
  return wrong;
}

}  // namespace
}  // namespace kasuri::test::global_programs

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  signal(SIGALRM, kasuri::test::global_programs::on_alarm);
  if (argc == 3 && std::strcmp(argv[1], "--seed") == 0) {
    const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10);
    return kasuri::test::global_programs::run_seeds(seed, seed) != 0;
  }
  if (argc == 3 && std::strcmp(argv[1], "--seeds") == 0) {
    const char* dots = std::strstr(argv[2], "..");
    if (dots != nullptr)
      return kasuri::test::global_programs::run_seeds(std::strtoull(argv[2], nullptr, 10),
                                                      std::strtoull(dots + 2, nullptr, 10)) != 0;
  }
  if (argc != 1) {
    std::fprintf(stderr, "accepted: --seed S, --seeds A..B\n");
    return 2;
  }
  return RUN_ALL_TESTS();
}
