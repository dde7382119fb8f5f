// SPDX-License-Identifier: Apache-2.0
#include "profile/base/row_table.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <deque>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "profile/base/sum.hpp"

namespace kasuri::profile {
namespace {

/// The memory of all rows: a table never frees them.
std::deque<std::vector<std::byte>>& memory_of_rows() {
  static std::deque<std::vector<std::byte>> all;
  return all;
}
std::mutex memory_lock;

struct row {
  explicit row(std::uint64_t k) noexcept : key(k) {}
  static void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    const std::lock_guard hold(memory_lock);
    return memory_of_rows().emplace_back(bytes).data();
  }
  static void operator delete(void*) noexcept {}
  const std::uint64_t key;
  row* next = nullptr;
  sum value;
};

TEST(RowTable, AKeyHasOneRow) {
  row_table<row, 4> table;
  row* const first = table.find_or_make(17);
  ASSERT_NE(first, nullptr);
  for (std::uint64_t k = 0; k != 100; ++k) table.find_or_make(k);
  EXPECT_EQ(table.find_or_make(17), first);
  int rows = 0;
  table.each([&rows](const row&) { ++rows; });
  EXPECT_EQ(rows, 100);
}

TEST(RowTable, ThereIsNoRowBehindTheMost) {
  row_table<row, 4> table;
  constexpr std::size_t most = 3;
  for (std::uint64_t k = 0; k != most; ++k) EXPECT_NE(table.find_or_make(k, most), nullptr);
  EXPECT_EQ(table.find_or_make(most, most), nullptr);
  EXPECT_NE(table.find_or_make(0, most), nullptr);
}

TEST(RowTable, IsEmptyWhenItForgets) {
  row_table<row, 4> table;
  table.find_or_make(1)->value.add(5);
  table.forget();
  table.each([](const row& r) { ADD_FAILURE() << "row " << r.key; });
  EXPECT_EQ(table.find_or_make(1)->value.get(), 0u);
}

TEST(RowTable, ThreadsThatMeetAtAKeyShareItsRow) {
  row_table<row, 2> table;
  constexpr int threads = 4;
  constexpr std::uint64_t keys = 50;
  std::vector<std::thread> all;
  for (int i = 0; i != threads; ++i)
    all.emplace_back([&table] {
      for (std::uint64_t k = 0; k != keys; ++k) table.find_or_make(k)->value.add(k);
    });
  for (std::thread& t : all) t.join();
  std::uint64_t rows = 0;
  table.each([&rows](const row& r) {
    ++rows;
    EXPECT_EQ(r.value.get(), threads * r.key);
  });
  EXPECT_EQ(rows, keys);
}

}  // namespace
}  // namespace kasuri::profile
