// SPDX-License-Identifier: Apache-2.0
#include "omp/region/affinity_format.hpp"

#include <gtest/gtest.h>

namespace kasuri::omp {
namespace {

const affinity_facts facts{.team_num = 1,
                           .num_teams = 3,
                           .nesting_level = 2,
                           .thread_num = 7,
                           .num_threads = 16,
                           .ancestor_tnum = -1,
                           .host = "node12",
                           .process_id = 4711,
                           .native_thread_id = 4712,
                           .thread_affinity = "0-3,8"};

std::string text(std::string_view format) { return format_affinity(format, facts); }

TEST(affinity_format, letters_and_long_names_mean_the_same) {
  EXPECT_EQ(text("%t %T %L %n %N %a %H %P %i %A"), "1 3 2 7 16 -1 node12 4711 4712 0-3,8");
  EXPECT_EQ(text("%{team_num} %{num_teams} %{nesting_level} %{thread_num} %{num_threads} "
                 "%{ancestor_tnum} %{host} %{process_id} %{native_thread_id} %{thread_affinity}"),
            "1 3 2 7 16 -1 node12 4711 4712 0-3,8");
}

TEST(affinity_format, widths) {
  EXPECT_EQ(text("%5n|"), "7    |");
  EXPECT_EQ(text("%.5n|"), "    7|");
  EXPECT_EQ(text("%0.5n|"), "00007|");
  EXPECT_EQ(text("%0.5a|"), "-0001|");
  EXPECT_EQ(text("%0.8H|"), "  node12|");
  EXPECT_EQ(text("%3H|"), "node12|") << "a width never cuts";
  EXPECT_EQ(text("%.12{thread_affinity}|"), "       0-3,8|");
}

TEST(affinity_format, other_text_stays) {
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("100%% of %n."), "100% of 7.");
  EXPECT_EQ(text("%x %{nothing} %{open"), "undefined undefined undefined");
  EXPECT_EQ(text("end%"), "endundefined");
}

}  // namespace
}  // namespace kasuri::omp
