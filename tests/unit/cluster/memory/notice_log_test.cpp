// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/notices/notice_log.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "cluster/transport/simulated/simulated.hpp"

namespace kasuri::cluster {
namespace {

struct rank_log {
  rank_log(transport& net, std::size_t entries)
      : options{.log_entries = entries},
        control(net, notice_ring::bytes_for(entries)),
        log(net, options, control, counts) {}
  ~rank_log() { control.end(); }

  memory_options options;
  live_counts counts;
  control_window control;
  notice_log log;

  void write(std::uint64_t begin, std::uint64_t bytes) {
    const global_range r{begin, begin + bytes};
    log.publish({&r, 1});
  }
  /// The begins of what the token says that is not known here; all_bytes where the log was lost.
  std::vector<std::uint64_t> learn(const token& t) {
    std::vector<std::uint64_t> found;
    log.learn(t, [&](const notice& n) {
      found.push_back(n.end == notice::all_bytes ? notice::all_bytes : n.begin);
    });
    return found;
  }
};

template <class Body>
void on_logs(int ranks, std::size_t entries, Body body) {
  simulation_options options;
  options.ranks = ranks;
  simulation all(options);
  all.run([&](int rank, transport& net) {
    rank_log mine(net, entries);
    body(rank, mine, net);
    net.barrier();
  });
}

using begins = std::vector<std::uint64_t>;

TEST(NoticeLogs, KnowledgeIsPassedOnOnce) {
  token from_0, from_1;
  on_logs(3, 64, [&](int rank, rank_log& mine, transport& net) {
    if (rank == 0) {
      EXPECT_EQ(mine.log.position().words[0], 0U);  // nothing to tell
      mine.write(4096, 8);
      mine.write(8192, 8);
      from_0 = mine.log.position();
    }
    net.barrier();
    if (rank == 1) {
      EXPECT_EQ(mine.learn(from_0), (begins{4096, 8192}));
      EXPECT_TRUE(mine.learn(from_0).empty());
      mine.write(12288, 8);
      from_1 = mine.log.position();
    }
    net.barrier();
    if (rank == 2) {
      EXPECT_EQ(mine.learn(from_1), (begins{4096, 8192, 12288}));
      EXPECT_TRUE(mine.learn(from_0).empty());  // known by way of rank 1
    }
    if (rank == 0) {
      EXPECT_EQ(mine.learn(from_1), begins{12288});  // not its own
      EXPECT_TRUE(mine.learn({}).empty());
    }
  });
}

TEST(NoticeLogs, AReaderThatComesTooLateSupposesEverythingAndPassesThatOn) {
  token from_0, from_1;
  on_logs(3, 8, [&](int rank, rank_log& mine, transport& net) {
    if (rank == 0) {
      for (std::uint64_t i = 1; i != 30; ++i) mine.write(4096 * i, 8);
      from_0 = mine.log.position();
    }
    net.barrier();
    if (rank == 1) {
      EXPECT_EQ(mine.learn(from_0), begins{notice::all_bytes});
      from_1 = mine.log.position();
    }
    net.barrier();
    if (rank == 2) {
      EXPECT_EQ(mine.learn(from_1), begins{notice::all_bytes});
    }
  });
}

TEST(NoticeLogs, AReleaseOfMoreThanTheLogHoldsTellsOfEverything) {
  token from_0;
  on_logs(2, 8, [&](int rank, rank_log& mine, transport& net) {
    if (rank == 0) {
      std::vector<global_range> told;
      for (std::uint64_t i = 1; i != 20; ++i) told.push_back({4096 * i, 4096 * i + 8});
      mine.log.publish(told);
      from_0 = mine.log.position();
      EXPECT_EQ(mine.counts.notices_sent.get(), 1U);
    }
    net.barrier();
    if (rank == 1) {
      EXPECT_EQ(mine.learn(from_0), begins{notice::all_bytes});
    }
  });
}

}  // namespace
}  // namespace kasuri::cluster
