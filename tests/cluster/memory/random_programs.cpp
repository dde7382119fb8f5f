// SPDX-License-Identifier: Apache-2.0
// Random fork-join programs over global memory on the simulated network, against what they must
// read.
//
//   stress_cluster_memory                  some thousand programs, and the planted faults, as tests
//   stress_cluster_memory --seeds A..B     these programs
//   stress_cluster_memory --seed S         one
//   stress_cluster_memory --checked A..B   these, all under the checks that look for races
//   stress_cluster_memory --raced A..B     these, each with a race planted that the checks must
//                                          find

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ostream>
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
  const int n =
      std::snprintf(line, sizeof line, "the program does not end: --seed %lu\n", seed_now);
  if (write(STDERR_FILENO, line, static_cast<std::size_t>(n)) < 0) _exit(3);
  abort();
}

outcome run_script(const script& s, planted_fault fault, checks look) {
  seed_now = s.seed;
  alarm(longest_s);
  const outcome o = play(s, fault, look);
  alarm(0);
  return o;
}

outcome run_seed(std::uint64_t seed, planted_fault fault) {
  return run_script(make_script(seed), fault, checks::drawn);
}

enum class raced : std::uint8_t { no_fork, found, missed };

/// With a race.
raced run_raced(std::uint64_t seed) {
  script s = make_script(seed);
  if (!plant_race(s)) return raced::no_fork;
  const outcome o = run_script(s, planted_fault::none, checks::on);
  return o.complaint.find("a data race on") != std::string::npos ? raced::found : raced::missed;
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

struct fault_row {
  planted_fault fault;
  const char* name;
};

/// What a failure says of the row, which would be its bytes.
void PrintTo(const fault_row& row, std::ostream* out) { *out << row.name; }

class PlantedFault : public testing::TestWithParam<fault_row> {};

TEST_P(PlantedFault, IsFound) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed)
    if (!run_seed(seed, GetParam().fault).complaint.empty()) return;
  FAIL() << "3000 programs ran as if nothing were wrong";
}

INSTANTIATE_TEST_SUITE_P(
    Each, PlantedFault,
    testing::Values(fault_row{planted_fault::notice_skipped, "notice_skipped"},
                    fault_row{planted_fault::write_back_skipped, "write_back_skipped"},
                    fault_row{planted_fault::stamp_not_raised, "stamp_not_raised"},
                    fault_row{planted_fault::nothing_passed_on, "nothing_passed_on"},
                    fault_row{planted_fault::eviction_forgotten, "eviction_forgotten"},
                    fault_row{planted_fault::dirty_overwritten, "dirty_overwritten"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(RandomGlobalPrograms, AreFreeOfRaces) {
  const std::uint64_t count = static_cast<std::uint64_t>(scaled(600));
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const outcome o = run_script(make_script(seed), planted_fault::none, checks::on);
    ASSERT_EQ(o.complaint, "") << "--checked " << seed << ".." << seed;
  }
}

TEST(RandomGlobalPrograms, WithARaceAreFoundOut) {
  const std::uint64_t count = static_cast<std::uint64_t>(scaled(600));
  std::uint64_t found = 0;
  for (std::uint64_t seed = 1; found != count; ++seed) {
    const raced r = run_raced(seed);
    ASSERT_NE(r, raced::missed) << "--raced " << seed << ".." << seed;
    if (r == raced::found) ++found;
  }
}

/// Programs [from, to]; the number of those that went wrong.
int run_seeds(std::uint64_t from, std::uint64_t to, checks look) {
  int wrong = 0;
  for (std::uint64_t seed = from; seed <= to; ++seed) {
    const outcome o = run_script(make_script(seed), planted_fault::none, look);
    if (!o.complaint.empty()) {
      std::printf("seed %llu: %s", static_cast<unsigned long long>(seed), o.complaint.c_str());
      ++wrong;
    }
  }
  std::printf("%llu programs, %d wrong\n", static_cast<unsigned long long>(to - from + 1), wrong);
  return wrong;
}

/// Programs [from, to], a race in each; the number of those that were not found.
int run_raced_seeds(std::uint64_t from, std::uint64_t to) {
  int missed = 0;
  int without = 0;
  for (std::uint64_t seed = from; seed <= to; ++seed) {
    const raced r = run_raced(seed);
    if (r == raced::no_fork) ++without;
    if (r != raced::missed) continue;
    std::printf("seed %llu: the race was not found\n", static_cast<unsigned long long>(seed));
    ++missed;
  }
  std::printf("%llu programs, %d without a fork for a race, %d races missed\n",
              static_cast<unsigned long long>(to - from + 1), without, missed);
  return missed;
}

/// "A..B", or "A".
bool read_seeds(const char* text, std::uint64_t& from, std::uint64_t& to) {
  char* end = nullptr;
  from = to = std::strtoull(text, &end, 10);
  if (end != text && end[0] == '.' && end[1] == '.') {
    text = end + 2;
    to = std::strtoull(text, &end, 10);
  }
  return end != text && *end == 0;
}

}  // namespace
}  // namespace kasuri::test::global_programs

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  signal(SIGALRM, kasuri::test::global_programs::on_alarm);
  using namespace kasuri::test::global_programs;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  if (argc == 3 && read_seeds(argv[2], from, to)) {
    const std::string which = argv[1];
    if (which == "--seed" || which == "--seeds") return run_seeds(from, to, checks::drawn) != 0;
    if (which == "--checked") return run_seeds(from, to, checks::on) != 0;
    if (which == "--raced") return run_raced_seeds(from, to) != 0;
  }
  if (argc != 1) {
    std::fprintf(stderr, "accepted: --seed S, --seeds A..B, --checked A..B, --raced A..B\n");
    return 2;
  }
  return RUN_ALL_TESTS();
}
