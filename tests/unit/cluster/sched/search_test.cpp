// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/search/search.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "sched_parts.hpp"

namespace kasuri::cluster {
namespace {

using test::on_parts;
using test::rank_parts;

TEST(WorkSearch, NapsLongerAndLongerOnceAllLifelinesAreOut) {
  scheduler_options how;
  how.eager_probes = 5;
  how.shortest_nap_ns = 1000;
  how.longest_nap_ns = 6000;
  on_parts(
      4,
      [](rank_parts& p) {
        if (p.site.rank != 0) return;
        inbox letters(p.site, p.store);
        work_search w(p.site, p.store, letters);
        searcher s;
        int looks = 0;
        std::vector<std::uint64_t> naps;
        while (naps.size() != 5) {
          EXPECT_EQ(w.look(s, 1), nullptr);
          ++looks;
          if (const std::uint64_t ns = w.rest(s)) naps.push_back(ns);
        }
        EXPECT_EQ(looks, 5 + 1 + 4);  // the probes, the lifelines, and a look behind each nap
        EXPECT_EQ(naps, (std::vector<std::uint64_t>{1000, 2000, 4000, 6000, 6000}));
        EXPECT_EQ(w.look(s, 2), nullptr);  // another run: all begins anew
        EXPECT_EQ(w.rest(s), 0U);
      },
      how);
}

TEST(WorkSearch, TakesFromTheInboxFirst) {
  on_parts(2, [](rank_parts& p) {
    inbox letters(p.site, p.store);
    if (p.site.rank == 1) {
      layout::parcel head{};
      head.bytes = 8;
      head.from = 1;
      const std::uint64_t closure = 0;
      letters.fill(0, *letters.reserve(0), head, &closure);
    }
    p.site.net.barrier();
    if (p.site.rank != 0) return;
    work_search w(p.site, p.store, letters);
    EXPECT_TRUE(w.is_called());
    searcher s;
    travelled* const got = w.look(s, 1);
    ASSERT_NE(got, nullptr);
    EXPECT_EQ(s.fruitless, 0U);
    EXPECT_EQ(s.idle_since, 0U);
    EXPECT_FALSE(w.is_called());
    p.store.give_back(got);
  });
}

TEST(WorkSearch, HasPatienceUnderAdws) {
  scheduler_options how;
  how.adws = true;
  how.patience_ns = 50'000;
  on_parts(
      2,
      [](rank_parts& p) {
        if (p.site.rank != 0) return;
        inbox letters(p.site, p.store);
        work_search w(p.site, p.store, letters);
        searcher s;
        EXPECT_EQ(w.look(s, 1), nullptr);
        EXPECT_EQ(p.site.counted.failed_probes.get(), 0U);
        const std::uint64_t left = w.rest(s);
        EXPECT_GT(left, 40'000U);
        EXPECT_LE(left, 50'000U);
        p.site.net.spend(left);
        EXPECT_EQ(w.look(s, 1), nullptr);
        EXPECT_EQ(p.site.counted.failed_probes.get(), 1U);
        // A rank that was busy for longer leaves to others what is theirs for longer.
        s.is_busy(p.site.net.now_ns());
        p.site.net.spend(100'000'000);
        EXPECT_EQ(w.look(s, 1), nullptr);
        EXPECT_EQ(w.rest(s), 10'000'000U);
      },
      how);
}

}  // namespace
}  // namespace kasuri::cluster
