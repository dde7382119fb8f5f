// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/mpi/mpi_collectives.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "fake_mpi.hpp"

namespace kasuri::cluster {
namespace {

using test::fake_mpi;
using calls = std::vector<std::string>;

struct collectives_of {
  explicit collectives_of(fake_mpi::state& s)
      : turns(std::make_unique<fake_mpi>(s)), messages(turns, {}), all(turns, messages) {}

  mpi_turns turns;
  mpi_messages messages;
  mpi_collectives all;
};

TEST(MpiCollectives, GoInPiecesThatMpiTakes) {
  fake_mpi::state s{.rank = 0, .size = 2};
  collectives_of c(s);
  std::vector<std::byte> data((5u << 20) / 2);
  c.all.broadcast(1, data);
  EXPECT_EQ(s.calls, (calls{"broadcast 1048576", "broadcast 1048576", "broadcast 524288"}));
  s.calls.clear();
  for (std::size_t i = 0; i != data.size(); ++i) data[i] = static_cast<std::byte>(i * 7);
  std::vector<std::byte> both(2 * data.size());
  c.all.all_gather(data, both);
  EXPECT_EQ(s.calls, (calls{"all_gather 1048576", "all_gather 1048576", "all_gather 524288"}));
  EXPECT_TRUE(std::equal(data.begin(), data.end(), both.begin()));
  EXPECT_TRUE(std::equal(data.begin(), data.end(),
                         both.begin() + static_cast<std::ptrdiff_t>(data.size())));
}

TEST(MpiCollectives, TakeInMessagesWhileTheyWait) {
  fake_mpi::state s{.rank = 0, .size = 3};
  s.tests_until_done = 4;
  s.messages = {{1, -1}};
  collectives_of c(s);
  c.all.barrier();
  EXPECT_TRUE(s.messages.empty());
  c.messages.nap(std::uint64_t{1} << 62);  // the ring was kept
}

TEST(MpiCollectives, AgreeWhereAllSayYes) {
  fake_mpi::state s{.rank = 0, .size = 3};
  collectives_of c(s);
  EXPECT_TRUE(c.all.all_agree(true));
  EXPECT_FALSE(c.all.all_agree(false));
  s.says_yes = false;
  EXPECT_FALSE(c.all.all_agree(true));
}

TEST(MpiCollectives, WaitForTheOthersEndsAtTheEnd) {
  fake_mpi::state s{.rank = 0, .size = 3};
  collectives_of c(s);
  c.messages.announce_end(0);
  s.messages = {{2, 0}, {1, 0}};
  c.all.barrier();
  EXPECT_TRUE(s.messages.empty());
  EXPECT_EQ(s.calls, calls{"barrier"});
}

}  // namespace
}  // namespace kasuri::cluster
