// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/run.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "kasuri/global/error.hpp"
#include "sched_parts.hpp"

namespace kasuri::cluster {
namespace {

using test::on_parts;
using test::rank_parts;

template <class G>
int run(whole_run& r, G g) {
  int result = -1;
  r.run(global::detail::kind_of<G>::kind, &g, &result);
  return result;
}

TEST(WholeRun, AllRanksGetTheResultOfRank0) {
  on_parts(5, [](rank_parts& p) {
    whole_run r(p.site);
    p.pool.meanwhile = [&r] {
      EXPECT_TRUE(r.goes_on());
      r.wake_server();
    };
    for (int i = 1; i != 4; ++i) {
      EXPECT_FALSE(r.goes_on());
      const auto root = [i, &p] {
        EXPECT_EQ(p.site.rank, 0);
        p.site.net.spend(100'000);
        return 10 * i;
      };
      EXPECT_EQ(run(r, root), 10 * i);
      EXPECT_EQ(r.number(), static_cast<std::uint64_t>(i));
      EXPECT_EQ(p.pool.blocked, p.site.rank == 0 ? 0 : i);
    }
  });
}

TEST(WholeRun, AllRanksThrowWhatRank0HasThrown) {
  on_parts(3, [](rank_parts& p) {
    whole_run r(p.site);
    p.pool.meanwhile = [&r] { r.wake_server(); };
    const auto root = []() -> int { throw std::out_of_range("leaf 7"); };
    if (p.site.rank == 0) {
      EXPECT_THROW(run(r, root), std::out_of_range);
    } else {
      try {
        run(r, root);
        ADD_FAILURE() << "nothing was thrown";
      } catch (const global::remote_exception& e) {
        EXPECT_EQ(e.rank(), 0);
        EXPECT_EQ(e.text(), "leaf 7");
      }
    }
    EXPECT_FALSE(r.goes_on());
    EXPECT_EQ(run(r, [] { return 3; }), 3);  // the next one is not touched by it
  });
}

TEST(WholeRun, RunsTheRootWithAllRanksUnderAdws) {
  scheduler_options how;
  how.adws = true;
  on_parts(
      4,
      [](rank_parts& p) {
        whole_run r(p.site);
        p.pool.meanwhile = [&r] { r.wake_server(); };
        const auto root = [&p] {
          EXPECT_EQ(p.pool.chain().low, 0);
          EXPECT_EQ(p.pool.chain().high, 4);
          return 1;
        };
        EXPECT_EQ(run(r, root), 1);
        EXPECT_EQ(p.pool.chain().high, 0);
      },
      how);
}

}  // namespace
}  // namespace kasuri::cluster
