// SPDX-License-Identifier: Apache-2.0
#include "context/stack.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <vector>

#include "platform/cpu/features.hpp"
#include "platform/memory/mapping_limit.hpp"
#include "platform/memory/memory.hpp"
#include "support/scale.hpp"

namespace kasuri::context {
namespace {

constexpr std::size_t bytes = 64 * 1024;

class stacks : public testing::Test {
 protected:
  void SetUp() override { configure_stacks(bytes, true); }
};

TEST_F(stacks, are_disjoint_aligned_and_as_large_as_asked) {
  std::vector<stack*> all;
  for (int i = 0; i != 200; ++i) {
    stack* s = allocate_stack();
    ASSERT_NE(s, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(s->high) % 16, 0u);
    EXPECT_GE(static_cast<std::size_t>(s->high - s->low), bytes - platform::page_size());
    std::memset(s->low, 0x5a, static_cast<std::size_t>(s->high - s->low));
    for (const stack* other : all) ASSERT_TRUE(s->high <= other->low || other->high <= s->low);
    all.push_back(s);
  }
  for (stack* s : all) {
    s->next = nullptr;
    release_stacks(s);
  }
}

TEST_F(stacks, tops_have_colours) {
  std::set<std::uintptr_t> places;
  std::vector<stack*> all;
  for (int i = 0; i != 16; ++i) {
    all.push_back(allocate_stack());
    places.insert(reinterpret_cast<std::uintptr_t>(all.back()->high) % platform::page_size());
  }
  EXPECT_GE(places.size(), 8u);
  for (stack* s : all) {
    s->next = nullptr;
    release_stacks(s);
  }
}

TEST_F(stacks, come_back_to_the_pool_through_a_cache) {
  const std::size_t before = stacks_in_use();
  stack_cache cache;
  std::vector<stack*> all;
  for (int i = 0; i != 300; ++i) all.push_back(cache.take());
  EXPECT_EQ(stacks_in_use(), before + 300);
  for (stack* s : all) cache.put(s);
  EXPECT_LT(stacks_in_use(), before + 300);  // the cache keeps some only
  cache.clear();
  EXPECT_EQ(stacks_in_use(), before);
}

TEST_F(stacks, know_their_guard_pages) {
  stack* s = allocate_stack();
  EXPECT_EQ(stack_overflowed_at(s->low - 1), s);
  EXPECT_EQ(stack_overflowed_at(s->low - platform::page_size()), s);
  EXPECT_EQ(stack_overflowed_at(s->low), nullptr);
  EXPECT_EQ(stack_overflowed_at(&s), nullptr);
  EXPECT_DEATH(*const_cast<volatile std::byte*>(s->low - 1) = std::byte{1}, "");
  s->next = nullptr;
  release_stacks(s);
}

TEST_F(stacks, are_all_visited) {
  std::vector<stack*> mine;
  for (int i = 0; i != 70; ++i) mine.push_back(allocate_stack());
  std::set<stack*> visited;
  for_each_stack([](stack* s, void* arg) { static_cast<std::set<stack*>*>(arg)->insert(s); },
                 &visited);
  for (stack* s : mine) {
    EXPECT_TRUE(visited.contains(s));
    s->next = nullptr;
    release_stacks(s);
  }
}

// Ten thousand blocked tasks have ten thousand stacks. What a stack takes of what the system limits
// does not grow with their number.
TEST_F(stacks, cost_no_mapping_each_where_the_kernel_marks_guards) {
  if (!test::full_size) GTEST_SKIP() << "sanitizers map memory of their own";
  constexpr std::size_t count = 10'000;
  const std::size_t before = platform::mappings();
  std::vector<stack*> all;
  for (std::size_t i = 0; i != count; ++i) all.push_back(allocate_stack());
  const std::size_t taken = platform::mappings() - before;
  for (stack* s : all) {
    ASSERT_NE(s, nullptr);
    s->next = nullptr;
    release_stacks(s);
  }
  // A slab, where it does not merge with its neighbour, is one.
  const std::size_t slabs = count / most_stacks_per_slab + 1;
  const bool marks = platform::probe_features().guard_install;
  EXPECT_LE(taken, slabs + 32 + (marks ? 0 : 2 * count));
}

}  // namespace
}  // namespace kasuri::context
