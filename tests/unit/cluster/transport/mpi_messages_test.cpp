// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/mpi/mpi_messages.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "fake_mpi.hpp"

namespace kasuri::cluster {
namespace {

using test::fake_mpi;
using sent = std::vector<std::pair<int, int>>;
constexpr int ring = -1;

struct messages_of {
  explicit messages_of(fake_mpi::state& s)
      : turns(std::make_unique<fake_mpi>(s)),
        messages(turns, [this](mpi_library&, int rank, const std::string& how) {
          ended = rank;
          said = how;
        }) {}

  mpi_turns turns;
  mpi_messages messages;
  int ended = -1;
  std::string said;
};

TEST(MpiMessages, ARingEndsANapOrForbidsTheNext) {
  fake_mpi::state s{.rank = 0, .size = 3};
  messages_of m(s);
  constexpr std::uint64_t for_ever = std::uint64_t{1} << 62;
  m.messages.ring(0);
  m.messages.nap(for_ever);
  s.messages = {{2, ring}, {1, ring}};
  m.messages.nap(for_ever);  // one nap for both
  EXPECT_TRUE(s.messages.empty());
  m.messages.nap(1000);  // nobody has rung
  m.messages.ring(2);
  EXPECT_EQ(s.sent, (sent{{2, ring}}));
}

TEST(MpiMessages, AnEndIsToldToAllOnceAndAwaitedOfAll) {
  fake_mpi::state s{.rank = 1, .size = 4};
  messages_of m(s);
  EXPECT_FALSE(m.messages.announced());
  m.messages.announce_end(3);
  m.messages.announce_end(3);
  EXPECT_TRUE(m.messages.announced());
  EXPECT_EQ(s.sent, (sent{{0, 3}, {2, 3}, {3, 3}}));
  s.messages = {{0, 0}, {3, ring}, {2, 8}, {3, 0}};
  m.messages.wait_for_all_ends();
  EXPECT_TRUE(s.messages.empty());
  EXPECT_EQ(m.ended, -1);
}

TEST(MpiMessages, ARankThatEndsWhileOthersWaitEndsTheJob) {
  fake_mpi::state s{.rank = 0, .size = 3};
  messages_of m(s);
  m.messages.look_for_ended(std::uint64_t{1} << 40);
  EXPECT_EQ(m.ended, -1);  // none has
  s.messages = {{2, 1 + 5}};
  m.messages.look();
  m.messages.look_for_ended(0);  // has not waited
  EXPECT_EQ(m.ended, -1);
  while (m.ended < 0) {
    m.messages.look_for_ended(std::uint64_t{1} << 40);
    wait_a_little(100);
  }
  EXPECT_EQ(m.ended, 2);
  EXPECT_EQ(m.said, "it ended by exit(5)");
}

}  // namespace
}  // namespace kasuri::cluster
