// SPDX-License-Identifier: Apache-2.0
// Counters and settings by name.
#include <gtest/gtest.h>
#include <kasuri/inspect.h>
#include <kasuri/kasuri.h>

#include <cstring>
#include <kasuri/runtime.hpp>
#include <map>
#include <string>
#include <vector>

namespace kasuri {
namespace {

std::vector<std::string> counter_names() {
  std::vector<std::string> names;
  for (int i = 0; kasuri_counter_name(i) != nullptr; ++i)
    names.emplace_back(kasuri_counter_name(i));
  return names;
}

// The rows that there are, by name of the counter.
std::vector<std::map<std::string, std::uint64_t>> rows() {
  const std::vector<std::string> names = counter_names();
  const int counters = static_cast<int>(names.size());
  const int count = kasuri_counters(nullptr, counters, 0);
  std::vector<std::uint64_t> values(static_cast<std::size_t>(count) * (names.size() + 1));
  EXPECT_EQ(kasuri_counters(values.data(), counters, count), count);
  std::vector<std::map<std::string, std::uint64_t>> all;
  for (auto at = values.begin(); at != values.end();) {
    auto& row = all.emplace_back();
    row["worker"] = *at++;
    for (const std::string& name : names) row[name] = *at++;
  }
  return all;
}

int setting_of(const std::string& name) {
  int i = 0;
  while (kasuri_setting_name(i) != nullptr && kasuri_setting_name(i) != name) ++i;
  return i;
}

void* nothing(void* argument) { return argument; }

TEST(c_inspect, counts_what_the_cxx_interface_counts) {
  ASSERT_EQ(kasuri_init(2), KASURI_SUCCESS);
  for (int i = 0; i != 100; ++i) {
    kasuri_thread_t t;
    ASSERT_EQ(kasuri_thread_create(&t, nothing, nullptr, KASURI_PARENT_FIRST), KASURI_SUCCESS);
    ASSERT_EQ(kasuri_thread_join(t, nullptr), KASURI_SUCCESS);
  }
  const auto by_name = rows();
  const auto by_member = counters();
  ASSERT_EQ(by_name.size(), by_member.size());
  std::uint64_t tasks = 0;
  for (std::size_t i = 0; i != by_member.size(); ++i) {
    EXPECT_EQ(by_name[i].at("worker"), static_cast<std::uint64_t>(by_member[i].worker));
    EXPECT_EQ(by_name[i].at("tasks"), by_member[i].tasks);
    EXPECT_EQ(by_name[i].at("suspends"), by_member[i].suspends);
    tasks += by_name[i].at("tasks");
  }
  EXPECT_GE(tasks, 100u);
  ASSERT_EQ(kasuri_finalize(), KASURI_SUCCESS);
}

TEST(c_inspect, nothing_is_counted_without_a_pool) {
  ASSERT_EQ(kasuri_finalize(), KASURI_SUCCESS);
  EXPECT_EQ(kasuri_counters(nullptr, 3, 0), 0);
}

TEST(c_inspect, leaves_out_rows_without_room_and_clears_counters_that_do_not_exist) {
  ASSERT_EQ(kasuri_init(3), KASURI_SUCCESS);
  const int counters = static_cast<int>(counter_names().size()) + 2;
  std::vector<std::uint64_t> row(static_cast<std::size_t>(counters) + 2, 77);
  EXPECT_GE(kasuri_counters(row.data(), counters, 1), 3);
  EXPECT_EQ(row[row.size() - 3], 0u);
  EXPECT_EQ(row[row.size() - 2], 0u);
  EXPECT_EQ(row.back(), 77u);
  ASSERT_EQ(kasuri_finalize(), KASURI_SUCCESS);
}

TEST(c_inspect, refuses_bad_arguments) {
  std::uint64_t value = 0;
  EXPECT_EQ(kasuri_counters(&value, -1, 1), -1);
  EXPECT_EQ(kasuri_counters(&value, 0, -1), -1);
  EXPECT_EQ(kasuri_counters(nullptr, 0, 1), -1);
  EXPECT_EQ(kasuri_counter_name(-1), nullptr);
  EXPECT_EQ(kasuri_setting_name(-1), nullptr);
  EXPECT_EQ(kasuri_setting_origin(1000), nullptr);
  EXPECT_EQ(kasuri_setting_value(1000, nullptr, 0), -1);
  EXPECT_EQ(kasuri_setting_value(0, nullptr, 1), -1);
  EXPECT_EQ(kasuri_setting_accepted(-1, nullptr, 0), -1);
}

TEST(c_inspect, settings_have_a_value_an_origin_and_what_is_accepted) {
  ASSERT_EQ(kasuri_init(3), KASURI_SUCCESS);
  const int workers = setting_of("KASURI_NUM_WORKERS");
  char text[64];
  ASSERT_EQ(kasuri_setting_value(workers, text, sizeof text), 1);
  EXPECT_STREQ(text, "3");
  EXPECT_STREQ(kasuri_setting_origin(workers), "API");
  EXPECT_EQ(kasuri_setting_accepted(workers, text, 5), 9);
  EXPECT_STREQ(text, "1 to");  // of "1 to 2048"
  ASSERT_EQ(kasuri_finalize(), KASURI_SUCCESS);
}

}  // namespace
}  // namespace kasuri
