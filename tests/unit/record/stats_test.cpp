// SPDX-License-Identifier: Apache-2.0
#include "record/stats.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace kasuri::record {
namespace {

std::vector<std::string> words(const std::string& line) {
  std::istringstream from(line);
  std::vector<std::string> found;
  for (std::string word; from >> word;) found.push_back(word);
  return found;
}

std::vector<std::string> lines(const std::string& text) {
  std::istringstream from(text);
  std::vector<std::string> found;
  for (std::string line; std::getline(from, line);) found.push_back(line);
  return found;
}

struct three_workers {
  worker_stats all[3];
  const worker_stats* pointers[3] = {&all[0], &all[1], &all[2]};

  three_workers() {
    for (int w = 0; w < 3; ++w) {
      all[w].worker = w;
      std::uint64_t number = 0;
      for (const stats_column& column : stats_columns()) {
        (all[w].*column.value).add(100 * (w + 1) + number++);
      }
    }
    all[2].role = worker_role::guest;
  }
};

TEST(Stats, EveryCounterHasOneColumn) {
  std::set<std::string_view> names;
  std::set<const counter*> counters;
  const worker_stats stats;
  for (const stats_column& column : stats_columns()) {
    names.insert(column.name);
    counters.insert(&(stats.*column.value));
  }
  EXPECT_EQ(names.size(), stats_columns().size());
  EXPECT_EQ(counters.size(), stats_columns().size());
  // All that lies between the labels and the times are counters: none was forgotten.
  const auto* const begin = reinterpret_cast<const char*>(&stats.tasks);
  const auto* const end = reinterpret_cast<const char*>(&stats.time);
  EXPECT_EQ(counters.size(), static_cast<std::size_t>(end - begin) / sizeof(counter));
}

TEST(Stats, CountsAndTheirSum) {
  const three_workers workers;
  const auto table = lines(format_stats(workers.pointers));
  ASSERT_EQ(table.size(), 10u);
  const auto header = words(table[0]);
  EXPECT_EQ(header.front(), "count");
  ASSERT_EQ(header.size(), stats_columns().size() + 1);
  EXPECT_EQ(words(table[1])[0], "worker");
  EXPECT_EQ(words(table[3])[0], "guest");
  const auto total = words(table[4]);
  EXPECT_EQ(total.front(), "total");
  for (std::size_t i = 0; i < stats_columns().size(); ++i) {
    EXPECT_EQ(header[i + 1], stats_columns()[i].name);
    for (int w = 0; w < 3; ++w) {
      EXPECT_EQ(words(table[w + 1])[i + 2], std::to_string(100 * (w + 1) + i));
    }
    EXPECT_EQ(total[i + 1], std::to_string(600 + 3 * i));
  }
}

TEST(Stats, LinesOfATableAreEquallyLong) {
  const three_workers workers;
  const auto table = lines(format_stats(workers.pointers));
  for (int i = 1; i < 5; ++i) EXPECT_EQ(table[i].size(), table[0].size());
  for (int i = 6; i < 10; ++i) EXPECT_EQ(table[i].size(), table[5].size());
}

TEST(Stats, TimesOfAWorkerThatDidNothing) {
  const worker_stats idle;
  const worker_stats* const only[] = {&idle};
  const auto table = lines(format_stats(only));
  ASSERT_EQ(table.size(), 6u);
  EXPECT_EQ(words(table[4]),
            (std::vector<std::string>{"worker", "0", "0.000", "0.000", "0.000", "0.000", "0.000",
                                      "0.000", "0.000", "0.000", "0.000", "-"}));
}

TEST(Stats, TimesCountByShare) {
  worker_stats busy;
  busy.time.switch_to(time_state::work);
  busy.time.switch_to(time_state::detached);
  const worker_stats* const only[] = {&busy};
  const auto table = lines(format_stats(only));
  EXPECT_EQ(words(table[4]).size(), 12u);
  EXPECT_GT(busy.time.read().work, 0u);
}

TEST(Stats, PrintsToADescriptor) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const three_workers workers;
  const std::string expected = format_stats(workers.pointers);
  print_stats(ends[1], workers.pointers);
  ::close(ends[1]);
  std::string got(expected.size() + 1, '\0');
  const ssize_t bytes = ::read(ends[0], got.data(), got.size());
  ::close(ends[0]);
  ASSERT_EQ(bytes, static_cast<ssize_t>(expected.size()));
  got.resize(expected.size());
  EXPECT_EQ(got, expected);
}

TEST(Stats, ClosedDescriptorDoesNoHarm) {
  const three_workers workers;
  print_stats(-1, workers.pointers);
}

}  // namespace
}  // namespace kasuri::record
