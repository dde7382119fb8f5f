// SPDX-License-Identifier: Apache-2.0
// Random programs of containers in global memory on the simulated network, against serial ones.
//
//   stress_cluster_containers                 some thousand programs, as tests
//   stress_cluster_containers --maps A..B     these programs of a hash map
//   stress_cluster_containers --bags A..B     these programs of a bag

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "cluster/containers/programs.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

TEST(RandomMaps, DoWhatTheSerialOnesDo) {
  const auto count = static_cast<std::uint64_t>(scaled(600));
  outcome sum;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const outcome o = run_map_program(seed);
    ASSERT_EQ(o.complaint, "") << "--maps " << seed << ".." << seed;
    sum.vain += o.vain;
    sum.refused += o.refused;
  }
  // The programs go where it is difficult.
  EXPECT_GT(sum.vain, 0U);
  EXPECT_GT(sum.refused, 0U);
}

TEST(RandomBags, HaveWhatWasAdded) {
  const auto count = static_cast<std::uint64_t>(scaled(200));
  for (std::uint64_t seed = 1; seed <= count; ++seed)
    ASSERT_EQ(run_bag_program(seed).complaint, "") << "--bags " << seed << ".." << seed;
}

/// Programs [from, to]; the number of those that went wrong.
int run_seeds(std::uint64_t from, std::uint64_t to, outcome (*run)(std::uint64_t)) {
  int wrong = 0;
  for (std::uint64_t seed = from; seed <= to; ++seed) {
    const outcome o = run(seed);
    if (o.complaint.empty()) continue;
    std::printf("seed %llu: %s", static_cast<unsigned long long>(seed), o.complaint.c_str());
    ++wrong;
  }
  std::printf("%llu programs, %d wrong\n", static_cast<unsigned long long>(to - from + 1), wrong);
  return wrong;
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
}  // namespace kasuri::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  using namespace kasuri::test;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  if (argc == 3 && read_seeds(argv[2], from, to)) {
    if (std::string(argv[1]) == "--maps") return run_seeds(from, to, run_map_program) != 0;
    if (std::string(argv[1]) == "--bags") return run_seeds(from, to, run_bag_program) != 0;
  }
  if (argc != 1) {
    std::fprintf(stderr, "accepted: --maps A..B, --bags A..B\n");
    return 2;
  }
  return RUN_ALL_TESTS();
}
