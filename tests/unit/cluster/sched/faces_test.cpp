// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/front/faces.hpp"

#include <gtest/gtest.h>

#include <kasuri/kasuri.hpp>
#include <set>
#include <thread>
#include <type_traits>
#include <vector>

#include "cluster/base/process.hpp"
#include "cluster/sched/front/strands.hpp"
#include "kasuri/global/detail/fork.hpp"

namespace kasuri::cluster {
namespace {

using global::detail::chain_here;
using global::detail::fork_chain;
using global::detail::kasuri_spread_face;
using global::detail::spread_face;

TEST(Faces, InlinedCodeFindsTheRanksOfASimulationWhileThereAreSome) {
  simulation_options network;
  network.ranks = 3;
  simulation all(network);
  std::set<spread_face*> seen;
  all.run([&](int rank, transport& net) {
    if (rank == 0) {
      EXPECT_EQ(kasuri_spread_face, nullptr);
    }
    net.barrier();
    no_coherence memory;
    {
      simulated_rank me(all, rank, memory, {});
      ASSERT_NE(kasuri_spread_face, nullptr);
      net.barrier();  // the others run meanwhile
      spread_face* const mine = kasuri_spread_face->of_this_rank();
      EXPECT_EQ(mine, &me.scheduler().face());
      EXPECT_EQ(mine->scheduler, &me.scheduler());
      EXPECT_EQ(chain_here(*mine), nullptr);  // the caller is no task
      seen.insert(mine);
      // The last that ends takes the way away.
      net.spend(static_cast<std::uint64_t>(1000 * rank));
      net.barrier();
    }
    EXPECT_EQ(current_process->scheduler, nullptr);
    if (kasuri_spread_face != nullptr) {
      EXPECT_EQ(kasuri_spread_face->of_this_rank(), nullptr);  // this rank has none any more
    }
    net.barrier();
    EXPECT_EQ(kasuri_spread_face, nullptr);
  });
  EXPECT_EQ(seen.size(), 3U);
}

TEST(Faces, ATaskOfASimulatedRankHasTheChainOfItsStack) {
  simulation_options network;
  network.ranks = 2;
  simulation all(network);
  all.run([&](int rank, transport& net) {
    no_coherence memory;
    simulated_rank me(all, rank, memory, {});
    const auto root = [&me] {
      fork_chain* const chain = chain_here(me.scheduler().face());
      EXPECT_EQ(chain, &me.scheduler().pool().chain());
      return chain == nullptr ? 1 : 2;
    };
    using kind = global::detail::kind_of<std::remove_const_t<decltype(root)>>;
    auto mine = root;
    int result = 0;
    me.scheduler().run_root(kind::kind, &mine, &result);
    EXPECT_EQ(result, 2);
    net.barrier();
  });
}

TEST(Faces, AProcessThatIsOneRankShowsItsOwn) {
  simulation_options network;
  network.ranks = 1;
  simulation all(network);
  all.run([&](int, transport& net) {
    no_coherence memory;
    strands tasks(all.time(), net);
    scheduler only(net, memory, tasks, {});
    set_process_scheduler(&only);
    EXPECT_EQ(kasuri_spread_face, &only.face());
    EXPECT_EQ(kasuri_spread_face->of_this_rank, nullptr);
    set_process_scheduler(nullptr);
    EXPECT_EQ(kasuri_spread_face, nullptr);
  });
}

TEST(Faces, EachStackOfThePoolHasAChainOfItsOwnThatStays) {
  const spread_face face;
  EXPECT_EQ(chain_here(face), nullptr);  // outside of tasks
  latch both(2);
  fork_chain* chains[2] = {};
  std::vector<std::thread> threads;
  for (fork_chain*& mine : chains)
    threads.emplace_back([&] {
      run([&] {
        mine = chain_here(face);
        both.arrive_and_wait();  // the two stacks are in use at the same time
        EXPECT_EQ(chain_here(face), mine);
      });
    });
  for (std::thread& t : threads) t.join();
  EXPECT_NE(chains[0], nullptr);
  EXPECT_NE(chains[1], nullptr);
  EXPECT_NE(chains[0], chains[1]);
}

}  // namespace
}  // namespace kasuri::cluster
