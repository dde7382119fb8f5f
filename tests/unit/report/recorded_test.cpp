// SPDX-License-Identifier: Apache-2.0
// Profiles of programs of tests/report, as they were recorded on two processors beside others that
// took a quarter to a half of them; shortened. What is planted must be found all the same.
#include <gtest/gtest.h>

#include <fstream>

#include "report/finding.hpp"
#include "report/measures.hpp"

namespace kasuri::report {
namespace {

struct recorded {
  const char* name;
  const char* rule;
  // What the repaired twin gains on a quiet machine, with a fifth of it to either side; a program
  // that spare threads have helped has less to gain.
  double least_gain;
  double most_gain;
};

void PrintTo(const recorded& r, std::ostream* to) { *to << r.name; }

class recorded_profiles : public testing::TestWithParam<recorded> {};

TEST_P(recorded_profiles, name_what_is_planted) {
  const profile p =
      read_profile(std::string(KASURI_RECORDED_PROFILES "/") + GetParam().name + ".profile");
  const places where(p);
  const measures m(p, nullptr, where);
  const auto found = find_all(m);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].rule, "others");
  EXPECT_EQ(found[1].rule, GetParam().rule);
  EXPECT_FALSE(found[1].sure);
  const double gain = m.seconds() / (m.seconds() - found[1].gain_s);
  EXPECT_GE(gain, GetParam().least_gain);
  EXPECT_LE(gain, GetParam().most_gain);
}

INSTANTIATE_TEST_SUITE_P(of, recorded_profiles,
                         testing::Values(recorded{"bursts", "wake", 1.0, 1.49},
                                         recorded{"sleeping", "blocked", 1.5, 2.24},
                                         recorded{"serial_prefix", "serial", 1.23, 1.85},
                                         recorded{"uneven_tasks", "uneven_tasks", 1.06, 1.6},
                                         recorded{"one_rank", "remote", 1.37, 2.07}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace kasuri::report
