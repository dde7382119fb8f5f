// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/notices/notice_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cluster/memory/notices/merge_notices.hpp"
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
  std::vector<std::uint64_t> learn_at_begin(const told_to_all& told) {
    std::vector<std::uint64_t> found;
    log.learn_at_begin(told, [&](const notice& n) { found.push_back(n.begin); });
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

TEST(NoticeLogs, AtTheBeginOfARunAllLearnAllAndGoOnFromOnePlace) {
  token from_1;
  told_to_all all;
  on_logs(3, 64, [&](int rank, rank_log& mine, transport& net) {
    if (rank == 1) {
      mine.write(4096, 8);
      mine.log.reported(mine.log.position());  // rank 0 has learned of it, and told all
      mine.write(8192, 8);
      mine.write(12288, 8);
    }
    if (rank == 2) mine.write(16384, 8);
    const told_to_all told = mine.log.untold();
    EXPECT_EQ(told.notices.size(), static_cast<std::size_t>(rank == 0 ? 0 : 3 - rank));
    net.barrier();
    all.add(told, 64);  // one after the other: they share a processor
    net.barrier();
    EXPECT_EQ(all.position, 3U);
    EXPECT_EQ(all.number, 3U);
    const begins learned = mine.learn_at_begin(all);
    if (rank == 0) EXPECT_EQ(learned, (begins{8192, 12288, 16384}));
    if (rank == 1) EXPECT_EQ(learned, begins{16384});
    if (rank == 2) EXPECT_EQ(learned, (begins{8192, 12288}));
    EXPECT_EQ(mine.log.known_to_all(), 3U);
    EXPECT_TRUE(mine.log.untold().notices.empty());
    net.barrier();
    // Tokens from here on tell of what is new alone.
    if (rank == 1) {
      mine.write(20480, 8);
      from_1 = mine.log.position();
      EXPECT_EQ(from_1.words[1], 4U);
    }
    net.barrier();
    if (rank == 0) {
      EXPECT_EQ(mine.learn(from_1), begins{20480});
      const told_to_all end = mine.log.written_in_run();
      ASSERT_EQ(end.notices.size(), 1U);
      EXPECT_EQ(end.notices[0].rank(), 1);
    }
  });
}

TEST(NoticeLogs, AnOwnLogThatHasLostNoticesTellsOfEverything) {
  on_logs(2, 4, [&](int rank, rank_log& mine, transport&) {
    if (rank == 0)
      for (std::uint64_t i = 1; i != 10; ++i) mine.write(8192 * i, 8);
    const told_to_all told = mine.log.untold();
    EXPECT_EQ(told.notices.size(), rank == 0 ? 1U : 0U);
    if (rank == 0) {
      EXPECT_EQ(told.notices[0].end, notice::all_bytes);
      EXPECT_EQ(told.notices[0].rank(), 0);
      const told_to_all end = mine.log.written_in_run();
      ASSERT_EQ(end.notices.size(), 1U);
      EXPECT_EQ(end.notices[0].end, notice::all_bytes);
    }
  });
}

TEST(MergedNotices, SayWhoWroteWhatAsLongAsTheyFit) {
  const std::vector<notice> some{notice::make(1, 5, 100, 200), notice::make(2, 3, 200, 300),
                                 notice::make(1, 7, 150, 250), notice::make(1, 2, 400, 500)};
  std::vector<notice> merged = some;
  merge_notices(merged, 3);
  ASSERT_EQ(merged.size(), 3U);
  EXPECT_EQ(merged[0].source, notice::make(1, 7, 100, 250).source);
  EXPECT_EQ(merged[0].begin, 100U);
  EXPECT_EQ(merged[0].end, 250U);
  EXPECT_EQ(merged[1].number(), 2U);
  EXPECT_EQ(merged[2].rank(), 2);
  merged = some;
  merge_notices(merged, 2);
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[0].source, notice::of_many);
  EXPECT_EQ(merged[0].end, 300U);
  EXPECT_EQ(merged[1].rank(), 1);
  merged = some;
  merge_notices(merged, 1);
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].end, notice::all_bytes);
}

}  // namespace
}  // namespace kasuri::cluster
