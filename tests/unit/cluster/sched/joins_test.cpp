// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/joins/joins.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "cluster/sched/joins/reports.hpp"
#include "kasuri/global/error.hpp"
#include "sched_parts.hpp"

namespace kasuri::cluster {
namespace {

using test::idle_fork;
using test::on_parts;
using test::rank_parts;

TEST(Joins, AreOpenUntilTheyAreWithdrawnOrAllAreInUse) {
  on_parts(1, [](rank_parts& p) {
    joins j(p.site);
    const idle_fork o(p.pool.chain(), [] { return 1; });
    std::vector<std::uint32_t> records;
    while (const auto head = j.open(o)) {
      EXPECT_EQ(head->bytes, o.kind->closure_bytes);
      EXPECT_EQ(head->from, 0);
      EXPECT_EQ(head->generation, 1U);
      EXPECT_FALSE(j.is_done(static_cast<int>(head->record)));
      records.push_back(head->record);
    }
    EXPECT_EQ(records.size(), static_cast<std::size_t>(layout::records));
    EXPECT_NE(j.check(), nullptr);
    for (const std::uint32_t r : records) j.withdraw(r);
    EXPECT_EQ(j.check(), nullptr);
    EXPECT_EQ(j.open(o)->generation, 2U);
  });
}

/// Rank 0 has a fork that rank 1 runs: after a while, if rank 0 is to wait.
template <class G, class AtRank0>
void at_rank_1(bool waits, G g, AtRank0 at_rank_0) {
  layout::parcel sent{};
  on_parts(2, [&](rank_parts& p) {
    joins j(p.site);
    p.pool.meanwhile = [&j] { j.wake(); };
    if (p.site.rank == 0) {
      idle_fork<G> o(p.pool.chain(), g);
      sent = *j.open(o);
      o.record = static_cast<int>(sent.record);
      p.site.net.barrier();
      if (!waits) p.site.net.barrier();
      j.wait(o.record);
      EXPECT_EQ(p.pool.blocked, waits ? 1 : 0);
      EXPECT_TRUE(j.is_done(o.record));
      at_rank_0(j, o);
      EXPECT_EQ(j.check(), nullptr);
    } else {
      p.site.net.barrier();
      if (waits) p.site.net.spend(50'000);
      travelled t;
      t.head = sent;
      reports r(p.site);
      try {
        const int result = g();
        r.value(t, &result);
      } catch (...) {
        r.exception(t);
      }
      if (!waits) p.site.net.barrier();
    }
  });
}

TEST(Joins, TheTaskThatWaitsIsWokenByTheReport) {
  at_rank_1(
      true, [] { return 7; },
      [](joins& j, global::detail::offer& o) {
        int result = 0;
        j.close(o, &result);
        EXPECT_EQ(result, 7);
      });
}

TEST(Joins, NobodyWaitsForAReportThatHasCome) {
  at_rank_1(
      false, [] { return 8; },
      [](joins& j, global::detail::offer& o) {
        int result = 0;
        j.close(o, &result);
        EXPECT_EQ(result, 8);
      });
}

TEST(Joins, AnExceptionComesWithItsRankAndText) {
  at_rank_1(
      true, []() -> int { throw std::runtime_error("no such tree"); },
      [](joins& j, global::detail::offer& o) {
        int result = 0;
        try {
          j.close(o, &result);
          ADD_FAILURE() << "nothing was thrown";
        } catch (const global::remote_exception& e) {
          EXPECT_EQ(e.rank(), 1);
          EXPECT_EQ(e.text(), "no such tree");
          EXPECT_EQ(e.type(), "std::runtime_error");
        }
      });
}

TEST(Joins, AnOutcomeThatNobodyWantsIsDropped) {
  at_rank_1(
      true, []() -> int { throw std::runtime_error("dropped"); },
      [](joins& j, global::detail::offer& o) { j.drop(o); });
}

}  // namespace
}  // namespace kasuri::cluster
