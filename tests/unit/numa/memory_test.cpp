// SPDX-License-Identifier: Apache-2.0
// Memory with every distribution on whatever machine this is, and the table against the real
// kernel: what is unmapped, moved and mapped again behind its back.
#include <gtest/gtest.h>
#include <kasuri/kasuri.h>
#include <kasuri/kasuri.hpp>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <thread>

#include "numa/nodes.hpp"
#include "numa/place.hpp"
#include "platform/memory/memory.hpp"
#include "platform/memory/numa_memory.hpp"
#include "support/scale.hpp"

namespace kasuri::numa {
namespace {

constexpr std::size_t mib = 1 << 20;
constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

std::vector<distribution> every_kind() {
  return {distribution::first_touch(),      distribution::on_node(nodes().back().number),
          distribution::blocked(),          distribution::interleaved(),
          distribution::cyclic(3),          distribution::block_cyclic(100'000),
          distribution::block_cyclic(6000), distribution::tiles(64, 32768, 32, 16384)};
}

/// -2: the system does not tell.
int kernel_says(const void* address) {
  void* page[] = {const_cast<void*>(address)};
  int status[1];
  return platform::ask_nodes(page, status) == 0 ? status[0] : -2;
}

TEST(numa, there_is_a_node_and_this_thread_is_near_one) {
  const auto all = nodes();
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &node::number));
  EXPECT_TRUE(std::ranges::any_of(all, [](const node& n) { return n.cpus > 0; }));
  EXPECT_TRUE(std::ranges::any_of(all, [](const node& n) { return n.number == this_node(); }));
}

TEST(numa, memory_of_every_kind_is_zeroed_and_writable) {
  for (const distribution& d : every_kind())
    for (const bool huge : {false, true})
      for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{4097}, 5 * mib}) {
        auto* memory = static_cast<unsigned char*>(alloc(bytes, d, {.huge_pages = huge}));
        ASSERT_NE(memory, nullptr);
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(memory) % platform::page_size(), 0u);
        ASSERT_TRUE(std::all_of(memory, memory + bytes, [](unsigned char c) { return c == 0; }));
        std::memset(memory, 7, bytes);
        const int node = node_of(memory);
        EXPECT_TRUE(node == -1 || this_machine().index_of(node) >= 0);
        free(memory, bytes);
      }
  free(nullptr, 5);
}

TEST(numa, moving_keeps_the_contents) {
  array<int> numbers(3 * mib / sizeof(int));
  for (std::size_t i = 0; i != numbers.size(); ++i) numbers[i] = static_cast<int>(i);
  std::vector<int> heap(100'000, 3);
  for (const distribution& d : every_kind()) {
    move(numbers.data(), numbers.size() * sizeof(int), d);
    move(heap.data(), heap.size() * sizeof(int), d);
    for (std::size_t i = 0; i != numbers.size(); ++i) ASSERT_EQ(numbers[i], static_cast<int>(i));
    EXPECT_EQ(std::ranges::count(heap, 3), 100'000);
  }
  EXPECT_EQ(move(nullptr, 0, distribution::blocked()), 0u);
}

TEST(numa, what_makes_no_sense_is_refused) {
  int number = 0;
  for (const node& n : nodes()) number = std::max(number, n.number + 1);
  for (const distribution& d :
       {distribution::on_node(number), distribution::on_node(-1), distribution::cyclic(0),
        distribution::block_cyclic(0), distribution::tiles(1, 1, 1, 0)}) {
    EXPECT_THROW(alloc(100, d), std::invalid_argument);
    EXPECT_THROW(move(&number, 4, d), std::invalid_argument);
  }
  EXPECT_THROW(move(nullptr, 1, distribution::blocked()), std::invalid_argument);
  EXPECT_THROW(alloc(most), std::bad_alloc);
  EXPECT_THROW(alloc(most / 2, distribution::blocked()), std::bad_alloc);
  EXPECT_THROW(array<double>(most / 4), std::bad_alloc);
}

TEST(numa, an_array_owns_its_memory) {
  array<double> first(1000, distribution::blocked());
  EXPECT_EQ(first.size(), 1000u);
  for (const double x : first) ASSERT_EQ(x, 0);
  first[999] = 5;
  array<double> second(std::move(first));
  EXPECT_EQ(second[999], 5);
  EXPECT_EQ(first.data(), nullptr);
  EXPECT_EQ(first.size(), 0u);
  first = std::move(second);
  EXPECT_EQ(first[999], 5);
  second = array<double>(10);
  EXPECT_EQ(second.size(), 10u);
  array<double> none;
  EXPECT_EQ(none.begin(), none.end());
  array<char> empty(0);
  EXPECT_EQ(empty.begin(), empty.end());
}

TEST(numa, one_node_answers_without_questions) {
  if (nodes().size() != 1) GTEST_SKIP() << "several nodes";
  int local = 0;
  EXPECT_EQ(table_of_process(), nullptr);
  EXPECT_EQ(node_of(&local), nodes()[0].number);
  EXPECT_EQ(node_of(nullptr), nodes()[0].number);
  EXPECT_EQ(node_index_of(&local), 0);
}

TEST(numa, look_ups_keep_errno) {
  errno = 77;
  node_of(nullptr);
  void* memory = alloc(mib, distribution::blocked());
  move(memory, mib, distribution::interleaved());
  node_of(memory);
  free(memory, mib);
  EXPECT_EQ(errno, 77);
}

// ---- the table and the real kernel, on machines of one node, too -------------------------------

class real_kernel : public testing::Test {
 protected:
  void SetUp() override {
    int touched = 1;
    if (kernel_says(&touched) < 0) GTEST_SKIP() << "the system does not tell where memory is";
    table = place_table::make(this_machine(), platform::ask_nodes);
    ASSERT_NE(table, nullptr);
  }

  static char* map(std::size_t bytes, void* where = nullptr) {
    void* memory = ::mmap(where, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | (where != nullptr ? MAP_FIXED : 0), -1, 0);
    EXPECT_NE(memory, MAP_FAILED);
    return static_cast<char*>(memory);
  }

  int number(const void* address) {
    const int index = table->look_up(address, table->now());
    return index < 0 ? -1 : this_machine().numbers()[static_cast<std::size_t>(index)];
  }

  std::unique_ptr<place_table> table;
};

TEST_F(real_kernel, asking_touches_no_page) {
  char* memory = map(4 * mib);
  EXPECT_EQ(number(memory), -1);
  EXPECT_EQ(number(memory + 3 * mib), -1);
  unsigned char resident[4 * mib / 4096] = {};
  ASSERT_EQ(::mincore(memory, 4 * mib, resident), 0);
  EXPECT_TRUE(std::ranges::none_of(resident, [](unsigned char r) { return (r & 1) != 0; }));
  ::munmap(memory, 4 * mib);
}

TEST_F(real_kernel, touched_unmapped_and_mapped_again) {
  char* memory = map(4 * mib);
  std::memset(memory, 1, 4 * mib);
  for (std::size_t at = 0; at < 4 * mib; at += 4096)
    ASSERT_EQ(number(memory + at), kernel_says(memory + at));
  ::munmap(memory, 4 * mib);
  number(memory);  // stale or not: no crash
  table->forget(memory, 4 * mib);
  EXPECT_EQ(number(memory), -1);
  map(4 * mib, memory);
  std::memset(memory, 1, 4 * mib);
  table->forget(memory, 4 * mib);
  EXPECT_EQ(number(memory + 2 * mib), kernel_says(memory + 2 * mib));
  ::munmap(memory, 4 * mib);
}

TEST_F(real_kernel, follows_mremap) {
  char* memory = map(4 * mib);
  std::memset(memory, 1, 4 * mib);
  EXPECT_EQ(number(memory), kernel_says(memory));
  char* target = map(4 * mib);
  ASSERT_EQ(::mremap(memory, 4 * mib, 4 * mib, MREMAP_MAYMOVE | MREMAP_FIXED, target), target);
  number(memory);
  table->forget(memory, 4 * mib);
  EXPECT_EQ(number(memory), -1);
  EXPECT_EQ(number(target), kernel_says(target));
  ::munmap(target, 4 * mib);
}

TEST_F(real_kernel, change_behind_its_back_under_many_readers) {
  constexpr std::size_t bytes = 8 * mib;
  char* memory = map(bytes);
  std::atomic<bool> stop{false};
  std::atomic<int> strange{0};
  std::vector<std::thread> readers;
  for (std::size_t seed = 1; seed != 4; ++seed)
    readers.emplace_back([&, seed] {
      for (std::size_t i = seed; !stop.load(std::memory_order_relaxed); i += 7919) {
        const int n = number(memory + i * 4096 % bytes);
        if (n != -1 && this_machine().index_of(n) < 0)
          strange.fetch_add(1, std::memory_order_relaxed);
      }
    });
  for (int round = 0; round != test::scaled(300); ++round) {
    const auto offset = static_cast<std::size_t>(round) % 15 * mib / 2;
    std::memset(memory + offset, round, mib / 2);
    ::munmap(memory + offset, mib / 4);
    void* page[] = {memory + offset + mib / 4};
    const int to[] = {nodes()[static_cast<std::size_t>(round) % nodes().size()].number};
    platform::move_to_nodes(page, to);
    map(mib / 4, memory + offset);
    if (round % 4 == 0) table->forget(memory + offset, mib);
  }
  stop = true;
  for (std::thread& t : readers) t.join();
  EXPECT_EQ(strange, 0);
  ::munmap(memory, bytes);
}

// ---- C ------------------------------------------------------------------------------------------

TEST(numa_c, memory_goes_round) {
  int numbers[64];
  int cpus[64];
  const int count = kasuri_numa_nodes(numbers, cpus, 64);
  ASSERT_EQ(static_cast<std::size_t>(count), nodes().size());
  EXPECT_EQ(kasuri_numa_nodes(nullptr, nullptr, 0), count);
  EXPECT_EQ(numbers[0], nodes()[0].number);
  EXPECT_EQ(cpus[0], nodes()[0].cpus);
  for (int kind = KASURI_FIRST_TOUCH; kind <= KASURI_TILES; ++kind) {
    const kasuri_distribution_t d{kind, numbers[count - 1], 2, 5000, 16, 65536, 8, 32768};
    void* memory = nullptr;
    ASSERT_EQ(kasuri_numa_alloc(&memory, mib, &d, kind % 2 ? KASURI_HUGE_PAGES : 0),
              KASURI_SUCCESS);
    std::memset(memory, 1, mib);
    std::size_t left = 99;
    EXPECT_EQ(kasuri_numa_move(memory, mib, &d, &left), KASURI_SUCCESS);
    EXPECT_EQ(kasuri_numa_move(memory, mib, &d, nullptr), KASURI_SUCCESS);
    EXPECT_NE(left, 99u);
    EXPECT_GE(kasuri_numa_node_of(memory), -1);
    kasuri_numa_forget(memory, mib);
    EXPECT_EQ(kasuri_numa_free(memory, mib), KASURI_SUCCESS);
  }
  EXPECT_EQ(kasuri_numa_free(nullptr, 0), KASURI_SUCCESS);
  EXPECT_GE(kasuri_numa_this_node(), 0);
}

TEST(numa_c, what_makes_no_sense_is_refused) {
  const kasuri_distribution_t good{KASURI_BLOCKED, 0, 0, 0, 0, 0, 0, 0};
  void* memory = &memory;
  EXPECT_EQ(kasuri_numa_alloc(nullptr, 1, &good, 0), KASURI_ERROR_INVALID);
  EXPECT_EQ(kasuri_numa_alloc(&memory, 1, nullptr, 0), KASURI_ERROR_INVALID);
  EXPECT_EQ(kasuri_numa_alloc(&memory, 1, &good, 2), KASURI_ERROR_INVALID);
  EXPECT_EQ(kasuri_numa_alloc(&memory, most, &good, 0), KASURI_ERROR_MEMORY);
  EXPECT_EQ(memory, &memory) << "changed nothing";
  for (const int kind : {-1, 7, 1000, int{KASURI_ON_NODE}, int{KASURI_CYCLIC},
                         int{KASURI_BLOCK_CYCLIC}, int{KASURI_TILES}}) {
    const kasuri_distribution_t bad{kind, 1023, 0, 0, 0, 0, 0, 0};
    EXPECT_EQ(kasuri_numa_alloc(&memory, 1, &bad, 0), KASURI_ERROR_INVALID);
    EXPECT_EQ(kasuri_numa_move(&memory, 1, &bad, nullptr), KASURI_ERROR_INVALID);
  }
  EXPECT_EQ(kasuri_numa_move(nullptr, 1, &good, nullptr), KASURI_ERROR_INVALID);
  EXPECT_EQ(kasuri_numa_free(reinterpret_cast<char*>(4097), 1), KASURI_ERROR_INVALID);
}

}  // namespace
}  // namespace kasuri::numa
