// SPDX-License-Identifier: Apache-2.0
#include "sched/kernel/ready_ring.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "kasuri/detail/atomics.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

using ring = sched::ready_ring<detail::real_atomics>;

TEST(ready_ring, is_first_in_first_out_and_bounded) {
  ring r;
  std::vector<detail::frame> frames(ring::capacity + 1);
  EXPECT_TRUE(r.empty());
  EXPECT_EQ(r.take(), nullptr);
  for (int round = 0; round != 3; ++round) {
    for (std::uint32_t i = 0; i != ring::capacity; ++i) ASSERT_TRUE(r.put(&frames[i]));
    EXPECT_FALSE(r.put(&frames.back()));
    for (std::uint32_t i = 0; i != ring::capacity; ++i) ASSERT_EQ(r.take(), &frames[i]);
    EXPECT_EQ(r.take(), nullptr);
  }
}

TEST(ready_ring, gives_each_frame_to_one_taker_in_order) {
  struct item : detail::frame {
    int number = 0;
    std::atomic<int> taken{0};
  };
  ring r;
  const int count = scaled(200'000);
  std::vector<item> items(static_cast<std::size_t>(count));
  for (int i = 0; i != count; ++i) items[static_cast<std::size_t>(i)].number = i;
  std::atomic<int> left{count};
  std::atomic<int> wrong{0};
  const auto take = [&] {
    int last = -1;
    while (left != 0) {
      detail::frame* f = r.take();
      if (f == nullptr) {
        std::this_thread::yield();
        continue;
      }
      auto& i = *static_cast<item*>(f);
      wrong += i.number <= last;
      last = i.number;
      ++i.taken;
      --left;
    }
  };
  std::thread one(take);
  std::thread two(take);
  for (item& i : items)
    while (!r.put(&i)) std::this_thread::yield();
  take();
  one.join();
  two.join();
  EXPECT_EQ(wrong, 0);
  for (const item& i : items) ASSERT_EQ(i.taken, 1);
}

}  // namespace
}  // namespace kasuri::test
