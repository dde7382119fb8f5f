// SPDX-License-Identifier: Apache-2.0
#include "record/ring.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace kasuri::record {
namespace {

event numbered(std::uint64_t number) {
  return {.ticks = 100 + number,
          .id = number,
          .reserved = 0,
          .peer = no_peer,
          .kind = event_kind::spawn,
          .detail = 0};
}

std::vector<event> take_all(ring& from) {
  std::vector<event> all;
  for (int round = 0; round < 2; ++round) {
    const auto ready = from.readable();
    all.insert(all.end(), ready.begin(), ready.end());
    from.release(ready.size());
  }
  return all;
}

TEST(Ring, CapacityIsAPowerOfTwoThatFits) {
  EXPECT_EQ(ring(0).capacity(), 2u);
  EXPECT_EQ(ring(4 * sizeof(event)).capacity(), 4u);
  EXPECT_EQ(ring(8 * sizeof(event) - 1).capacity(), 4u);
  EXPECT_EQ(ring(1 << 20).capacity(), 32768u);
}

TEST(Ring, GivesBackWhatWentInInOrderAcrossTheSeam) {
  ring events(4 * sizeof(event));
  std::uint64_t next = 0;
  for (std::uint64_t number = 0; number < 30; number += 3) {
    for (std::uint64_t i = 0; i < 3; ++i) events.push(numbered(number + i));
    EXPECT_EQ(events.size(), 3u);
    for (const event& e : take_all(events)) {
      EXPECT_EQ(e.id, next);
      EXPECT_EQ(e.ticks, 100 + next);
      ++next;
    }
  }
  EXPECT_EQ(next, 30u);
  EXPECT_EQ(events.lost(), 0u);
}

TEST(Ring, DropsWhenFullAndMarksTheGap) {
  ring events(4 * sizeof(event));
  for (std::uint64_t number = 0; number < 7; ++number) events.push(numbered(number));
  EXPECT_EQ(events.lost(), 3u);
  EXPECT_EQ(take_all(events).size(), 4u);

  events.push(numbered(7));
  const auto after = take_all(events);
  ASSERT_EQ(after.size(), 2u);
  EXPECT_EQ(after[0].kind, event_kind::lost);
  EXPECT_EQ(after[0].id, 3u) << "how many";
  EXPECT_EQ(after[0].ticks, 104u) << "since the first one dropped";
  EXPECT_EQ(after[1].id, 7u);
  EXPECT_EQ(events.lost(), 3u);
}

TEST(Ring, OneFreeSlotIsNotFilledBeforeTheGapIsMarked) {
  ring events(4 * sizeof(event));
  for (std::uint64_t number = 0; number < 5; ++number) events.push(numbered(number));
  events.release(1);
  events.push(numbered(5));
  events.push(numbered(6));
  EXPECT_EQ(events.lost(), 3u);
  EXPECT_EQ(events.size(), 3u);
  events.release(1);
  events.push(numbered(7));
  const auto rest = take_all(events);
  ASSERT_EQ(rest.size(), 4u);
  EXPECT_EQ(rest[2].kind, event_kind::lost);
  EXPECT_EQ(rest[2].id, 3u);
  EXPECT_EQ(rest[3].id, 7u);
}

// Every event is either read, once and in order, or counted by the `lost` event in its place.
TEST(Ring, ReaderBesideTheWriterMissesNothingUncounted) {
  constexpr std::uint64_t total = 200'000;
  ring events(64 * sizeof(event));
  std::atomic<bool> done{false};
  std::uint64_t next = 0;
  bool right = true;
  const auto read = [&] {
    for (const event& e : take_all(events)) {
      if (e.kind == event_kind::lost) {
        next += e.id;
      } else {
        right = right && e.id == next && e.ticks == 100 + next;
        ++next;
      }
    }
  };
  std::thread reader([&] {
    while (!done.load(std::memory_order_acquire)) {  // pairs with the release after the last push
      read();
      std::this_thread::yield();
    }
    read();
  });
  for (std::uint64_t number = 0; number < total; ++number) events.push(numbered(number));
  done.store(true, std::memory_order_release);  // pairs with the reader's acquire
  reader.join();
  EXPECT_TRUE(right);
  // What was dropped at the very end has no event after it.
  EXPECT_LE(next, total);
  const std::uint64_t before = events.lost();
  events.push(numbered(total));
  read();
  EXPECT_EQ(events.lost(), before);
  EXPECT_EQ(next, total + 1);
}

}  // namespace
}  // namespace kasuri::record
