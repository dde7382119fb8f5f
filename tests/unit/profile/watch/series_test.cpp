// SPDX-License-Identifier: Apache-2.0
#include "profile/watch/series.hpp"

#include <gtest/gtest.h>

#include "profile/base/json.hpp"

namespace kasuri::profile {
namespace {

std::string text_of(const series& s) {
  json to;
  s.write(to);
  return to.text();
}

TEST(series, a_bin_is_the_mean_of_what_was_seen) {
  series s(1);
  s.add(0.2, 0.2, {.running = 2});
  s.add(0.8, 0.6, {.running = 1, .ready = 1});
  s.add(1.5, 0.5, {.serial = 1});
  const std::string text = text_of(s);
  EXPECT_NE(text.find(R"("seconds":[0.8,0.5])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("running":[1.25,0])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("ready":[0.75,0])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("serial":[0,1])"), std::string::npos) << text;
}

TEST(series, bins_become_longer_where_there_would_be_too_many) {
  series s(1);
  for (std::size_t i = 0; i != 4 * series::most_bins; ++i)
    s.add(static_cast<double>(i) + 0.5, 1, {.running = static_cast<double>(i % 2)});
  EXPECT_DOUBLE_EQ(s.bin(), 4);
  const std::string text = text_of(s);
  EXPECT_NE(text.find(R"("running":[0.5,0.5)"), std::string::npos) << text.substr(0, 200);
}

TEST(series, what_was_seen_held_since_the_look_before) {
  series s(1);
  s.add(2.5, 2.5, {.running = 2});
  s.add(3, 0.5, {.running = 0});
  const std::string text = text_of(s);
  EXPECT_NE(text.find(R"("running":[2,2,1])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("seconds":[1,1,1])"), std::string::npos) << text;
}

TEST(series, a_moment_far_away_leaves_empty_bins) {
  series s(1);
  s.add(0.5, 0.5, {.running = 1});
  s.add(3.5, 0.5, {.running = 1});
  const std::string text = text_of(s);
  EXPECT_NE(text.find(R"("running":[1,0,0,1])"), std::string::npos) << text;
}

}  // namespace
}  // namespace kasuri::profile
