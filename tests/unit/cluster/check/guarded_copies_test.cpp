// SPDX-License-Identifier: Apache-2.0
#include "cluster/check/guarded_copies.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "platform/memory/memory.hpp"

namespace kasuri::cluster {
namespace {

using global::access;
using global::detail::pin;

std::string words_for(const guarded_copies::use& u) {
  return "checkout of " + std::to_string(u.bytes) + " at " + std::to_string(u.offset);
}

/// Two tasks: the stack of one ends where the other's begins.
constexpr std::uintptr_t top = 1000;

class GuardedCopies : public testing::Test {
 protected:
  GuardedCopies() {
    for (std::size_t i = 0; i != memory.size(); ++i) memory[i] = value_at(i);
  }

  static std::byte value_at(std::size_t i) { return static_cast<std::byte>(i % 251); }

  /// By the task on whose stack `frame` lies.
  std::byte* lend(pin& p, std::uint64_t offset, std::uint64_t bytes, access mode,
                  std::uintptr_t frame = 1) {
    p.occupy(offset, bytes, mode != access::read, frame);
    return copies.lend({&p, memory.data() + offset, offset, bytes, mode},
                       [frame](std::uintptr_t of) { return (of < top) == (frame < top); });
  }

  std::vector<std::byte> memory{3 * platform::page_size()};
  guarded_copies copies{words_for};
  std::array<pin, 3> pins;
};

using GuardedCopiesDeathTest = GuardedCopies;

TEST_F(GuardedCopies, HoldWhatIsCheckedOutAndBringHomeWhatWasWritten) {
  std::byte* const data = lend(pins[0], 10, 100, access::read_write);
  EXPECT_NE(data, memory.data() + 10);
  for (std::size_t i = 0; i != 100; ++i) ASSERT_EQ(data[i], value_at(10 + i));
  data[0] = std::byte{255};
  data[99] = std::byte{254};
  EXPECT_EQ(memory[10], value_at(10));  // not before the end of the checkout
  copies.take_back(pins[0]);
  EXPECT_EQ(memory[10], std::byte{255});
  EXPECT_EQ(memory[109], std::byte{254});
  EXPECT_EQ(memory[9], value_at(9));
  EXPECT_EQ(memory[110], value_at(110));
}

TEST_F(GuardedCopies, OfReadersChangeNothingAtHome) {
  const std::byte* const data = lend(pins[0], 0, memory.size(), access::read);
  EXPECT_EQ(std::memcmp(data, memory.data(), memory.size()), 0);
  memory[5] = std::byte{255};  // by another rank, say
  copies.take_back(pins[0]);
  EXPECT_EQ(memory[5], std::byte{255});
}

TEST_F(GuardedCopies, OfOneTaskThatLieInsideAnotherAreTheSameBytes) {
  std::byte* const outer = lend(pins[0], 0, 200, access::read_write);
  std::byte* const inner = lend(pins[1], 50, 10, access::write);
  const std::byte* const reader = lend(pins[2], 52, 6, access::read);
  EXPECT_EQ(inner, outer + 50);
  EXPECT_NE(reader, outer + 52);  // pages that cannot be written
  inner[3] = std::byte{255};
  EXPECT_EQ(outer[53], std::byte{255});
  EXPECT_EQ(reader[1], std::byte{255});
  copies.take_back(pins[1]);
  EXPECT_EQ(memory[53], std::byte{255});
  outer[54] = std::byte{253};
  EXPECT_EQ(reader[2], std::byte{253});  // the copy lasts as long as one uses it
  copies.take_back(pins[0]);
  EXPECT_EQ(reader[2], std::byte{253});
  EXPECT_EQ(memory[54], std::byte{253});
  copies.take_back(pins[2]);
}

TEST_F(GuardedCopies, OfTwoTasksAreTwo) {
  std::byte* const mine = lend(pins[0], 0, 100, access::write);
  std::byte* const others = lend(pins[1], 0, 100, access::write, top + 1);
  std::byte* const third = lend(pins[2], 0, 100, access::write, 2);
  EXPECT_NE(mine, others);
  EXPECT_EQ(mine, third);
  mine[0] = std::byte{255};
  EXPECT_EQ(others[0], value_at(0));
  for (const pin& p : pins) copies.take_back(p);
}

TEST_F(GuardedCopies, OfReadersMayMeetInAnyWay) {
  const std::byte* const first = lend(pins[0], 0, 100, access::read);
  const std::byte* const second = lend(pins[1], 50, 100, access::read);
  EXPECT_EQ(std::memcmp(first + 50, second, 50), 0);
  copies.take_back(pins[0]);
  EXPECT_EQ(second[99], value_at(149));
  copies.take_back(pins[1]);
}

TEST_F(GuardedCopies, TakeMemoryThatWasGivenBack) {
  std::byte* const first = lend(pins[0], 0, 100, access::write);
  copies.take_back(pins[0]);
  std::byte* const second = lend(pins[1], 300, 100, access::write);
  EXPECT_EQ(first, second);
  EXPECT_EQ(second[0], value_at(300));
  copies.take_back(pins[1]);
  copies.take_back(pins[1]);  // a pin without a copy: nothing
}

TEST_F(GuardedCopiesDeathTest, AWriteThroughACheckoutForReadingIsNamed) {
  std::byte* const data = lend(pins[0], 8, 100, access::read);
  EXPECT_EXIT(*const_cast<volatile std::byte*>(data + 7) = std::byte{1}, testing::ExitedWithCode(2),
              "byte 7 of the checkout of 100 at 8 was written; accepted: reading");
  copies.take_back(pins[0]);
}

TEST_F(GuardedCopiesDeathTest, AUsePastTheEndIsNamed) {
  std::byte* const data = lend(pins[0], 8, 100, access::read_write);
  EXPECT_EXIT(static_cast<void>(*const_cast<volatile std::byte*>(data + 100)),
              testing::ExitedWithCode(2),
              "the byte 1 past the end of the checkout of 100 at 8 was used");
  copies.take_back(pins[0]);
}

TEST_F(GuardedCopiesDeathTest, AWriteBeforeTheBeginIsNamedAtTheEnd) {
  EXPECT_EXIT(
      {
        lend(pins[0], 8, 100, access::write)[-3] = std::byte{1};
        copies.take_back(pins[0]);
      },
      testing::ExitedWithCode(2),
      "the byte 3 before the begin of the checkout of 100 at 8 was written");
}

TEST_F(GuardedCopiesDeathTest, OneThatReachesBeyondAnEarlierOneIsRefused) {
  lend(pins[0], 0, 100, access::read);
  EXPECT_EXIT(lend(pins[1], 50, 100, access::write), testing::ExitedWithCode(2),
              "the checkout of 100 at 50 reaches beyond the checkout of 100 at 0, which the same "
              "task holds");
  copies.take_back(pins[0]);
}

}  // namespace
}  // namespace kasuri::cluster
