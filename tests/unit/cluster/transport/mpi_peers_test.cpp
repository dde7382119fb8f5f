// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/mpi/mpi_peers.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "cluster/transport/job/exit_note.hpp"
#include "cluster/transport/job/job_line.hpp"
#include "fake_mpi.hpp"
#include "platform/cpu/affinity.hpp"

namespace kasuri::cluster {
namespace {

using test::fake_mpi;

/// A rank of a job whose other ranks say the same of themselves: their host, and their process,
/// which is this one. It is not the first of its host, which would watch processes that never came.
struct peers_of {
  explicit peers_of(fake_mpi::state& s, int host_ranks = 0)
      : turns(std::make_unique<fake_mpi>(s)),
        messages(turns, {}),
        all(turns, messages),
        peers(all, s.rank, s.size, host_ranks) {}
  ~peers_of() {
    note_exit_in(nullptr);
    say_failures_once(nullptr);
  }
  peers_of(const peers_of&) = delete;
  peers_of& operator=(const peers_of&) = delete;

  mpi_turns turns;
  mpi_messages messages;
  mpi_collectives all;
  mpi_peers peers;
};

TEST(MpiPeers, RanksOfOneMachineAreOnOneHost) {
  fake_mpi::state s{.rank = 1, .size = 5};
  peers_of p(s);
  for (int r = 0; r != 5; ++r) EXPECT_EQ(p.peers.host_of(r), 0);
  p.peers.leave();
}

TEST(MpiPeers, SoManyRanksCountAsAHostWhereThatIsAskedFor) {
  fake_mpi::state s{.rank = 3, .size = 5};
  peers_of p(s, 2);
  for (int r = 0; r != 5; ++r) EXPECT_EQ(p.peers.host_of(r), r / 2);
  p.peers.leave();
}

TEST(MpiPeers, TakeTheirSeatAndLeaveIt) {
  fake_mpi::state s{.rank = 1, .size = 3};
  peers_of p(s);
  ASSERT_TRUE(p.peers.board().valid());
  EXPECT_EQ(p.peers.board().ranks(), 3);
  EXPECT_EQ(&p.peers.seat(), &p.peers.board().seat(1));
  EXPECT_EQ(p.peers.seat().state.load(std::memory_order_relaxed), seat_taken);
  EXPECT_EQ(p.peers.seat().pid.load(std::memory_order_relaxed),
            static_cast<std::uint32_t>(::getpid()));
  EXPECT_EQ(p.peers.board().seat(0).state.load(std::memory_order_relaxed), seat_empty);
  p.peers.leave();
  EXPECT_EQ(p.peers.seat().state.load(std::memory_order_relaxed), seat_left);
}

TEST(MpiPeers, ARankThatEndedEarlyIsNamedWithItsProcessAndHost) {
  fake_mpi::state s{.rank = 1, .size = 3};
  peers_of p(s);
  const std::string who =
      "rank 2 (pid " + std::to_string(::getpid()) + " on host " + platform::host_name() + ')';
  EXPECT_EQ(p.peers.failure_text(2, "it ended by exit(5)"),
            who + " ended before the job did: it ended by exit(5)");
  EXPECT_EQ(p.peers.failure_text(2, ""),
            who + " ended before the job did: its process ended, the cause is not known");
  p.peers.leave();
}

}  // namespace
}  // namespace kasuri::cluster
