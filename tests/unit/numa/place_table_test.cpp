// SPDX-License-Identifier: Apache-2.0
// The table of places against a kernel of the test's own, whose answers and clock the test chooses.
#include "numa/place_table.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

#include "numa/nodes.hpp"
#include "platform/memory/memory.hpp"
#include "support/scale.hpp"

namespace kasuri::numa {
namespace {

constexpr std::uintptr_t base = std::uintptr_t{1} << 40;
constexpr std::size_t chunk = place_table::chunk_bytes;

std::size_t page_size() { return platform::page_size(); }
std::size_t pages_of_chunk() { return chunk / page_size(); }

const void* at(std::size_t offset) { return reinterpret_cast<const void*>(base + offset); }

/// Nodes 0, 1, 4, 6: their indexes are 0 to 3.
const node_map& four_nodes() {
  static const node_map map([] {
    platform::topology machine;
    for (const int number : {0, 1, 4, 6}) {
      machine.pus.push_back({.os_index = number, .numa_node = number});
      machine.numa_nodes.push_back({.os_index = number, .memory_bytes = 1});
    }
    return machine;
  }());
  return map;
}

/// The test's kernel: the status of each page from `base` on; -EFAULT behind.
std::vector<std::atomic<int>>& kernel() {
  static std::vector<std::atomic<int>> pages(8 * pages_of_chunk());
  return pages;
}
std::atomic<int> kernel_error{0};

int ask_test_kernel(std::span<void* const> pages, std::span<int> status) noexcept {
  for (std::size_t i = 0; i != pages.size(); ++i) {
    const auto number = (reinterpret_cast<std::uintptr_t>(pages[i]) - base) / page_size();
    status[i] =
        number < kernel().size() ? kernel()[number].load(std::memory_order_relaxed) : -EFAULT;
  }
  return kernel_error.load(std::memory_order_relaxed);
}

class place_table_test : public testing::Test {
 protected:
  void SetUp() override {
    kernel_error = 0;
    set(0, kernel().size(), -EFAULT);
    table = place_table::make(four_nodes(), ask_test_kernel);
    ASSERT_NE(table, nullptr);
    t = table->now();
  }

  static void set(std::size_t first, std::size_t end, int status) {
    for (std::size_t p = first; p != end; ++p) kernel()[p].store(status, std::memory_order_relaxed);
  }

  int index(std::size_t offset) { return table->look_up(at(offset), t); }

  /// A wish for the same index everywhere.
  static place_table::wish all_on(const int& index) {
    return {[](const void* context, std::uintptr_t) noexcept {
              return *static_cast<const int*>(context);
            },
            &index};
  }

  std::unique_ptr<place_table> table;
  place_table::time t = 0;
};

TEST_F(place_table_test, a_chunk_is_asked_for_once) {
  set(0, pages_of_chunk(), 4);
  EXPECT_EQ(index(0), 2);
  const auto asked = table->questions();
  EXPECT_GT(asked, 0u);
  for (std::size_t offset = 0; offset < chunk; offset += 100) ASSERT_EQ(index(offset), 2);
  EXPECT_EQ(table->questions(), asked);
  EXPECT_EQ(index(chunk), -1) << "the next chunk is not mapped";
}

TEST_F(place_table_test, pages_of_a_chunk_may_differ) {
  constexpr int numbers[] = {0, 1, 4, 6, -ENOENT, -EFAULT, 3};
  constexpr int indexes[] = {0, 1, 2, 3, -1, -1, -1};
  for (std::size_t p = 0; p != pages_of_chunk(); ++p) set(p, p + 1, numbers[p % 7]);
  for (std::size_t p = 0; p != pages_of_chunk(); ++p)
    ASSERT_EQ(index(p * page_size() + p % page_size()), indexes[p % 7]) << p;
  const auto asked = table->questions();
  for (std::size_t p = 0; p != pages_of_chunk(); ++p)
    ASSERT_EQ(index(p * page_size()), indexes[p % 7]);
  EXPECT_EQ(table->questions(), asked);
}

TEST_F(place_table_test, an_answer_lives_a_second_and_a_moved_page_is_found_after_it) {
  set(0, pages_of_chunk(), 1);
  EXPECT_EQ(index(0), 1);
  set(0, pages_of_chunk(), 6);
  t += place_table::first_life - 1;
  EXPECT_EQ(index(0), 1) << "stale, as promised";
  t += 1;
  EXPECT_EQ(index(0), 3);
}

TEST_F(place_table_test, an_answer_that_proves_true_lives_longer_up_to_eight_seconds) {
  set(0, pages_of_chunk(), 1);
  index(0);
  const auto a_chunk = table->questions();
  for (int ms = 0; ms != 63 * 1024; ++ms, ++t) ASSERT_EQ(index(0), 1);
  // At 1, 3, 7, and then each 8 of the 63 s.
  EXPECT_EQ(table->questions(), a_chunk * (1 + 3 + 6));
  set(0, pages_of_chunk(), 0);
  t += 8 * place_table::first_life;
  EXPECT_EQ(index(0), 0);
  t += place_table::first_life;
  set(0, pages_of_chunk(), 4);
  EXPECT_EQ(index(0), 2) << "what has moved once is not trusted for longer";
}

TEST_F(place_table_test, unknown_pages_are_asked_for_again_soon_and_ever_more_rarely) {
  set(0, pages_of_chunk(), -ENOENT);
  EXPECT_EQ(index(0), -1);
  const auto a_chunk = table->questions();
  set(0, 1, 4);
  t += place_table::first_retry - 1;
  EXPECT_EQ(index(0), -1);
  t += 1;
  EXPECT_EQ(index(0), 2);
  EXPECT_EQ(index(page_size()), -1);
  const auto before = table->questions();
  for (int ms = 0; ms != 4096; ++ms, ++t) index(page_size());
  // 4, 8, ... 512: eight times in 1020 ms, then each 512 ms.
  const auto times = (table->questions() - before) / a_chunk;
  EXPECT_GE(times, 12u);
  EXPECT_LE(times, 16u);
}

TEST_F(place_table_test, known_neighbours_of_an_unknown_page_cost_nothing) {
  set(0, pages_of_chunk(), 1);
  set(5, 6, -ENOENT);
  index(0);
  const auto asked = table->questions();
  for (int ms = 0; ms != 1000; ++ms, ++t) ASSERT_EQ(index(0), 1);
  EXPECT_EQ(table->questions(), asked);
}

TEST_F(place_table_test, forget_asks_anew_at_once_and_keeps_the_neighbours) {
  set(0, pages_of_chunk(), 1);
  index(0);
  set(0, pages_of_chunk(), 6);
  table->forget(at(3 * page_size()), 2 * page_size());
  t = table->now();  // forget looked at the clock, too
  const auto asked = table->questions();
  EXPECT_EQ(index(2 * page_size()), 1);
  EXPECT_EQ(index(5 * page_size()), 1);
  EXPECT_EQ(table->questions(), asked);
  EXPECT_EQ(index(3 * page_size()), 3);
  EXPECT_GT(table->questions(), asked);
  set(0, pages_of_chunk(), 0);
  table->forget(at(0), chunk);
  EXPECT_EQ(index(0), 0);
}

TEST_F(place_table_test, forget_touches_what_the_bytes_touch) {
  set(0, 3 * pages_of_chunk(), 1);
  for (std::size_t c = 0; c != 3; ++c) index(c * chunk);
  set(0, 3 * pages_of_chunk(), 4);
  table->forget(at(chunk - 1), 2);  // a byte of each of two chunks
  t = table->now();
  EXPECT_EQ(index(chunk - page_size() - 1), 1);
  EXPECT_EQ(index(chunk + page_size()), 1);
  EXPECT_EQ(index(2 * chunk), 1);
  EXPECT_EQ(index(chunk - 1), 2);
  EXPECT_EQ(index(chunk), 2);
  table->forget(at(0), 0);
}

TEST_F(place_table_test, a_wish_stands_until_the_page_is_touched_or_gone) {
  const int three = 3;
  set(0, pages_of_chunk(), -ENOENT);
  table->record(at(0), chunk, all_on(three));
  t = table->now();
  EXPECT_EQ(index(7 * page_size()), 3);
  EXPECT_EQ(table->questions(), 0u);
  t = table->now() + place_table::first_life;
  EXPECT_EQ(index(7 * page_size()), 3) << "still not touched";
  EXPECT_GT(table->questions(), 0u);
  set(7, 8, 1);
  t += 8 * place_table::first_life;
  EXPECT_EQ(index(7 * page_size()), 1) << "the node was full";
  EXPECT_EQ(index(8 * page_size()), 3);
  set(0, pages_of_chunk(), -EFAULT);
  t += 8 * place_table::first_life;
  EXPECT_EQ(index(8 * page_size()), -1);
}

TEST_F(place_table_test, a_record_of_part_of_a_chunk_keeps_the_rest) {
  const int two = 2;
  set(0, 2 * pages_of_chunk(), 0);
  index(0);
  index(chunk);
  t = table->now();
  table->record(at(chunk - 2 * page_size()), 4 * page_size(), all_on(two));
  for (const std::size_t p : {0, 1, 2, 3})
    EXPECT_EQ(index(chunk - 2 * page_size() + p * page_size()), 2);
  EXPECT_EQ(index(chunk - 3 * page_size()), 0);
  EXPECT_EQ(index(chunk + 2 * page_size()), 0);
}

TEST_F(place_table_test, a_system_that_refuses_is_asked_once) {
  for (const int error : {EPERM, ENOSYS, EACCES}) {
    SetUp();
    kernel_error = error;
    for (int ms = 0; ms != 5000; ++ms, ++t)
      for (std::size_t c = 0; c != 8; ++c) ASSERT_EQ(index(c * chunk), -1);
    EXPECT_EQ(table->questions(), 1u);
  }
}

TEST_F(place_table_test, a_failure_that_passes_is_not_the_end) {
  set(0, pages_of_chunk(), 1);
  kernel_error = ENOMEM;
  EXPECT_EQ(index(0), -1);
  kernel_error = 0;
  t += place_table::first_retry;
  EXPECT_EQ(index(0), 1);
}

TEST_F(place_table_test, addresses_that_no_program_has_are_unknown) {
  EXPECT_EQ(table->look_up(nullptr, t), -1);
  const auto asked = table->questions();
  for (const std::uintptr_t strange :
       {~std::uintptr_t{0}, std::uintptr_t{1} << 48, std::uintptr_t{1} << 63}) {
    EXPECT_EQ(table->look_up(reinterpret_cast<const void*>(strange), t), -1);
    table->forget(reinterpret_cast<const void*>(strange), 1 << 20);
  }
  table->forget(at(0), ~std::size_t{0});
  EXPECT_EQ(table->questions(), asked);
}

TEST_F(place_table_test, chunks_that_share_a_slot_are_both_known) {
  // 512 GiB apart; the second one's wish goes to its other slot.
  const int one = 1;
  const int two = 2;
  const std::size_t apart = std::size_t{1} << 39;
  table->record(at(0), chunk, all_on(one));
  table->record(at(apart), chunk, all_on(two));
  t = table->now();
  EXPECT_EQ(index(0), 1);
  EXPECT_EQ(index(apart), 2);
  table->forget(at(0), chunk);
  EXPECT_EQ(index(apart), 2);
  EXPECT_EQ(index(0), -1);
}

TEST_F(place_table_test, a_chunk_without_a_free_slot_is_unknown_and_costs_no_question) {
  const int one = 1;
  const std::size_t apart = std::size_t{1} << 39;
  // Whose first slots are both slots of the chunk in question: its own, and 1 + tag * 0x9E37
  // further.
  const std::uint64_t tag = (base >> 21) >> 18;
  const std::size_t second = static_cast<std::size_t>(1 + tag * 0x9E37) % (1u << 18) * chunk;
  table->record(at(apart), chunk, all_on(one));
  table->record(at(apart + second), chunk, all_on(one));
  t = table->now();
  EXPECT_EQ(index(0), -1);
  EXPECT_EQ(table->questions(), 0u);
  set(0, pages_of_chunk(), 6);
  t += 2 * place_table::first_life;
  EXPECT_EQ(index(0), 3) << "the others are dead now";
}

TEST_F(place_table_test, time_wraps) {
  set(0, pages_of_chunk(), 1);
  t = ~place_table::time{0} - 10;
  EXPECT_EQ(index(0), 1);
  const auto asked = table->questions();
  t += 100;
  EXPECT_EQ(index(0), 1);
  EXPECT_EQ(table->questions(), asked);
  t += place_table::first_life;
  EXPECT_EQ(index(0), 1);
  EXPECT_GT(table->questions(), asked);
}

TEST_F(place_table_test, a_clock_a_step_behind_asks_nothing) {
  set(0, pages_of_chunk(), 1);
  index(0);
  const auto asked = table->questions();
  t -= 1;
  EXPECT_EQ(index(0), 1);
  EXPECT_EQ(table->questions(), asked);
}

TEST_F(place_table_test, everything_at_once_gives_nodes_or_unknown) {
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> strange{0};
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed != 4; ++seed)
    threads.emplace_back([&, seed] {
      place_table::time now = t;
      for (std::uint64_t i = seed; !stop.load(std::memory_order_relaxed); i += 977) {
        now += i % 64 == 0;  // each thread's own clock: claims and answers die at odd moments
        const int found = table->look_up(at(i * 4099 % (8 * chunk)), now);
        if (found < -1 || found > 3) strange.fetch_add(1, std::memory_order_relaxed);
      }
    });
  for (int round = 0; round != test::scaled(20'000); ++round) {
    const auto some = static_cast<std::size_t>(round) % 7 * pages_of_chunk();
    const int index = round % 5 - 1;
    constexpr int numbers[] = {0, 1, 4, 6, -ENOENT, -EFAULT};
    set(some + 3, some + 300 % pages_of_chunk() + 4, numbers[round % 6]);
    if (round % 2 == 0) table->record(at(some * page_size() + 8192), chunk, all_on(index));
    if (round % 3 == 0)
      table->forget(at(some * page_size() + 100), static_cast<std::size_t>(round) * 64);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(strange, 0u);
  // And nothing is stuck: what is forgotten is found again.
  set(0, kernel().size(), 6);
  table->forget(at(0), 8 * chunk);
  t += 64 * place_table::first_life;
  for (std::size_t p = 0; p != kernel().size(); ++p) ASSERT_EQ(index(p * page_size()), 3);
}

}  // namespace
}  // namespace kasuri::numa
