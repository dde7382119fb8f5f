// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/search/thief.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "sched_parts.hpp"

namespace kasuri::cluster {
namespace {

using test::on_parts;
using test::rank_parts;

/// Puts closures of so many bytes into the outbox of this rank.
void fill_outbox(rank_parts& p, int count, std::uint32_t bytes) {
  outbox_word word;
  for (int i = 0; i != count; ++i) {
    layout::parcel head{};
    head.bytes = bytes;
    head.from = p.site.rank;
    head.copy = static_cast<std::uint64_t>(i) + 1;
    head.task = static_cast<std::uint64_t>(100 + i);
    std::memcpy(p.site.at(layout::outbox_slot(word.next())), &head, sizeof head);
    word = word.with(layout::closure_at + bytes);
  }
  p.site.net.store(p.site.rank, p.site.words, layout::outbox_state, word.bits());
}

TEST(Thief, TakesTheOldestAndTellsThatItHasReadIt) {
  on_parts(2, [](rank_parts& p) {
    if (p.site.rank == 0) fill_outbox(p, 3, 100);
    p.site.net.barrier();
    if (p.site.rank == 1) {
      thief t(p.site, p.store);
      for (std::uint64_t i = 0; i != 3; ++i) {
        travelled* const got = t.probe_any(p.site.net.now_ns());
        ASSERT_NE(got, nullptr);
        EXPECT_EQ(got->head.task, 100 + i);
        p.store.give_back(got);
      }
      EXPECT_EQ(t.probe_any(p.site.net.now_ns()), nullptr);
      EXPECT_EQ(p.site.counted.steals.get(), 3U);
      EXPECT_EQ(p.site.counted.steal_trips.get(), 9U);  // three each
      EXPECT_EQ(p.site.counted.failed_probes.get(), 1U);
      p.site.net.spend(100'000);
    }
    p.site.net.barrier();
    if (p.site.rank == 0) {
      EXPECT_TRUE(outbox_word(p.site.own(layout::outbox_state)).empty());
      for (std::uint64_t i = 0; i != 3; ++i) {
        EXPECT_EQ(p.site.own(layout::word_of(layout::copied, i)), i + 1);
      }
    }
  });
}

TEST(Thief, LeavesItsBitAtDistancesOfPowersOfTwo) {
  on_parts(10, [](rank_parts& p) {
    if (p.site.rank == 4) {
      thief t(p.site, p.store);
      EXPECT_EQ(t.ask_lifelines(), nullptr);
    }
    p.site.net.barrier();
    const outbox_word mine(p.site.own(layout::outbox_state));
    const int distance = (p.site.rank - 4 + 10) % 10;
    for (int i = 0; i != 4; ++i) EXPECT_EQ(mine.sleeps(i), distance == 1 << i) << p.site.rank;
  });
}

TEST(Thief, ALifelineThatHasSomethingIsNoLifeline) {
  on_parts(3, [](rank_parts& p) {
    if (p.site.rank == 1) fill_outbox(p, 1, 64);
    p.site.net.barrier();
    if (p.site.rank == 0) {
      thief t(p.site, p.store);
      travelled* const got = t.ask_lifelines();
      ASSERT_NE(got, nullptr);
      EXPECT_EQ(got->head.from, 1);
      p.store.give_back(got);
    }
    p.site.net.barrier();
    EXPECT_FALSE(outbox_word(p.site.own(layout::outbox_state)).anybody_sleeps());
  });
}

TEST(Thief, AsksACallerAtNoDistanceWithoutLeavingItsBit) {
  on_parts(8, [](rank_parts& p) {
    if (p.site.rank == 0) {
      thief t(p.site, p.store);
      EXPECT_EQ(t.ask_caller(3), nullptr);
      EXPECT_EQ(t.ask_caller(4), nullptr);
    }
    p.site.net.barrier();
    const outbox_word mine(p.site.own(layout::outbox_state));
    EXPECT_EQ(mine.anybody_sleeps(), p.site.rank == 4);
  });
}

}  // namespace
}  // namespace kasuri::cluster
