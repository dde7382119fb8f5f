// SPDX-License-Identifier: Apache-2.0
#include "omp/memory/allocator.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

namespace kasuri::omp {
namespace {

std::uintptr_t number(trait_value value) { return static_cast<std::uintptr_t>(value); }

/// An allocator for the length of a test.
struct made {
  explicit made(std::initializer_list<trait> traits)
      : handle(init_allocator(0, {traits.begin(), traits.size()})) {}
  ~made() {
    if (handle != null_allocator) destroy_allocator(handle);
  }
  allocator_handle handle;
};

bool aligned(const void* block, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(block) % alignment == 0;
}

TEST(allocator, predefined_ones_give_memory) {
  for (const allocator_handle handle : {1, 2, 3, 4, 5, 6, 7, 8, 100, 101, 102}) {
    auto* block = static_cast<char*>(allocate(0, 100, handle));
    ASSERT_NE(block, nullptr);
    std::memset(block, 1, 100);
    EXPECT_TRUE(aligned(block, 16));
    deallocate(block);
  }
}

TEST(allocator, nothing_is_asked_for_nothing) {
  EXPECT_EQ(allocate(0, 0, default_mem_alloc), nullptr);
  deallocate(nullptr);
}

TEST(allocator, alignment_is_the_larger_of_call_and_trait) {
  const made a({{trait_key::alignment, 256}});
  for (const std::size_t asked : {1, 16, 64, 256, 4096}) {
    void* block = allocate(asked, 10, a.handle);
    EXPECT_TRUE(aligned(block, std::max<std::size_t>(asked, 256)));
    deallocate(block);
  }
  void* page = allocate(1 << 16, 1, default_mem_alloc);
  EXPECT_TRUE(aligned(page, 1 << 16));
  deallocate(page);
}

TEST(allocator, zeroed_is_zero_after_reuse) {
  for (int round = 0; round != 3; ++round) {
    auto* block = static_cast<unsigned char*>(allocate_zeroed(64, 5000, default_mem_alloc));
    for (int i = 0; i != 5000; ++i) ASSERT_EQ(block[i], 0);
    std::memset(block, 255, 5000);
    deallocate(block);
  }
}

TEST(allocator, a_pool_ends_and_fills_again) {
  const made a({{trait_key::pool_size, 4096}, {trait_key::fallback, number(trait_value::null_fb)}});
  void* first = allocate(0, 3000, a.handle);
  ASSERT_NE(first, nullptr);
  EXPECT_GE(bytes_in_use(a.handle), 3000u);
  EXPECT_EQ(allocate(0, 3000, a.handle), nullptr);
  deallocate(first);
  EXPECT_EQ(bytes_in_use(a.handle), 0u);
  first = allocate(0, 3000, a.handle);
  EXPECT_NE(first, nullptr);
  deallocate(first);
}

TEST(allocator, fallback_is_the_default_memory_unless_told_otherwise) {
  const made plain({{trait_key::pool_size, 64}, {trait_key::alignment, 128}});
  void* block = allocate(0, 1000, plain.handle);
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(aligned(block, 128));
  EXPECT_EQ(bytes_in_use(plain.handle), 0u);
  deallocate(block);
}

TEST(allocator, fallback_to_another_allocator) {
  const made second({{trait_key::alignment, 512}});
  const made first({{trait_key::pool_size, 64},
                    {trait_key::fallback, number(trait_value::allocator_fb)},
                    {trait_key::fb_data, second.handle}});
  void* block = allocate(0, 1000, first.handle);
  ASSERT_NE(block, nullptr);
  EXPECT_GE(bytes_in_use(second.handle), 1000u);
  deallocate(block);
  EXPECT_EQ(bytes_in_use(second.handle), 0u);
}

TEST(allocator, abort_fallback_ends_the_program) {
  const made a({{trait_key::pool_size, 64}, {trait_key::fallback, number(trait_value::abort_fb)}});
  EXPECT_EXIT(allocate(0, 1000, a.handle), testing::ExitedWithCode(2), "abort_fb cannot give 1000");
}

TEST(allocator, absurd_sizes_are_refused) {
  EXPECT_EQ(allocate(0, ~std::size_t{0} - 8, default_mem_alloc), nullptr);
  EXPECT_EQ(allocate(1 << 20, ~std::size_t{0} - (1 << 20), default_mem_alloc), nullptr);
}

TEST(allocator, pinned_and_placed_memory_is_memory) {
  for (const trait_value where : {trait_value::environment, trait_value::nearest,
                                  trait_value::blocked, trait_value::interleaved}) {
    const made a(
        {{trait_key::partition, number(where)}, {trait_key::pinned, number(trait_value::on)}});
    auto* block = static_cast<char*>(allocate_zeroed(4096, 50'000, a.handle));
    ASSERT_NE(block, nullptr);
    EXPECT_TRUE(aligned(block, 4096));
    EXPECT_EQ(block[49'999], 0);
    std::memset(block, 1, 50'000);
    deallocate(block);
  }
}

TEST(allocator, reallocate_keeps_the_contents_and_changes_the_allocator) {
  const made a({{trait_key::alignment, 64}});
  auto* block = static_cast<char*>(allocate(0, 100, default_mem_alloc));
  std::memset(block, 7, 100);
  block = static_cast<char*>(reallocate(block, 1000, a.handle, default_mem_alloc));
  ASSERT_NE(block, nullptr);
  for (int i = 0; i != 100; ++i) ASSERT_EQ(block[i], 7);
  EXPECT_GE(bytes_in_use(a.handle), 1000u);
  block = static_cast<char*>(reallocate(block, 50, null_allocator, null_allocator));
  EXPECT_GE(bytes_in_use(a.handle), 50u) << "without a name it stays where it was";
  EXPECT_EQ(block[49], 7);
  EXPECT_EQ(reallocate(block, 0, null_allocator, null_allocator), nullptr);
  EXPECT_EQ(bytes_in_use(a.handle), 0u);
}

TEST(allocator, traits_out_of_range_make_no_allocator) {
  EXPECT_EQ(made({{trait_key::alignment, 3}}).handle, null_allocator);
  EXPECT_EQ(made({{trait_key::alignment, 0}}).handle, null_allocator);
  EXPECT_EQ(made({{trait_key::pool_size, 0}}).handle, null_allocator);
  EXPECT_EQ(made({{trait_key::fallback, number(trait_value::all)}}).handle, null_allocator);
  EXPECT_EQ(made({{trait_key::fallback, number(trait_value::allocator_fb)}}).handle,
            null_allocator);
  EXPECT_EQ(made({{trait_key::pinned, 2}}).handle, null_allocator);
  EXPECT_EQ(made({{trait_key::partition, 3}}).handle, null_allocator);
  EXPECT_EQ(made({{trait_key::sync_hint, 7}}).handle, null_allocator);
  EXPECT_EQ(made({{static_cast<trait_key>(99), 1}}).handle, null_allocator);
  EXPECT_EQ(init_allocator(9, {}), null_allocator);
}

TEST(allocator, the_value_default_keeps_the_default) {
  const made a({{trait_key::alignment, number(trait_value::default_)},
                {trait_key::pool_size, number(trait_value::default_)},
                {trait_key::sync_hint, number(trait_value::default_)},
                {trait_key::access, number(trait_value::default_)},
                {trait_key::fallback, number(trait_value::default_)},
                {trait_key::pinned, number(trait_value::default_)},
                {trait_key::partition, number(trait_value::default_)}});
  ASSERT_NE(a.handle, null_allocator);
  void* block = allocate(0, 100'000, a.handle);
  EXPECT_NE(block, nullptr);
  deallocate(block);
}

TEST(allocator, a_pool_counts_right_among_threads) {
  const made a({{trait_key::pool_size, 1 << 20}});
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i != 5000; ++i)
        deallocate(allocate(0, 200 + static_cast<std::size_t>(i % 7), a.handle));
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(bytes_in_use(a.handle), 0u);
}

}  // namespace
}  // namespace kasuri::omp
