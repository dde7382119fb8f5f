// SPDX-License-Identifier: Apache-2.0
// A rank that is called while it answers another call.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cluster/base/coherence.hpp"
#include "cluster/sched/scheduler.hpp"
#include "cluster/transport/forwarding.hpp"
#include "cluster/transport/simulated/simulated.hpp"

namespace kasuri::cluster {
namespace {

/// The simulated network, by which a second call lands right behind the look that has found the
/// first.
class second_call final : public forwarding_transport {
 public:
  explicit second_call(transport& net) : forwarding_transport(net) {}

  int next_caller = 0;     // whose call lands then; 0: nobody's
  std::vector<int> asked;  // whose outbox was looked at, in this order
  window words;

  std::uint64_t load(int target, const window& w, std::size_t offset) override {
    if (offset == layout::outbox_state) asked.push_back(target);
    const std::uint64_t found = net_.load(target, w, offset);
    if (offset == layout::caller && found != 0 && next_caller != 0) {
      call(next_caller);
      next_caller = 0;
    }
    return found;
  }
  void call(int caller) {
    net_.store(rank(), words, layout::caller, static_cast<std::uint64_t>(caller) + 1);
  }
  window allocate(std::size_t bytes) override { return words = net_.allocate(bytes); }
};

/// Nothing is run.
class no_tasks final : public pool_side {
 public:
  void block(publish, void*) override {}
  void make_ready(void*) override {}
  global::detail::fork_chain& chain() override { return chain_; }
  [[nodiscard]] bool inside() const override { return false; }
  void enter(void (*)(void*), void*) override {}

 private:
  global::detail::fork_chain chain_;
};

/// test(scheduler, network) at rank 0 of 16, where the others have nothing.
template <class Test>
void at_rank_0(Test test) {
  simulation_options options;
  options.ranks = 16;
  simulation all(options);
  all.run([&](int rank, transport& inner) {
    second_call net(inner);
    no_coherence memory;
    no_tasks tasks;
    scheduler_options how;
    how.eager_probes = 3;
    scheduler s(net, memory, tasks, how);
    net.barrier();
    if (rank == 0) test(s, net);
    net.barrier();
  });
}

TEST(Calls, ASecondOneIsAnsweredToo) {
  at_rank_0([](scheduler& s, second_call& net) {
    searcher search;
    net.call(3);
    net.next_caller = 5;
    EXPECT_EQ(s.look(search), nullptr);
    ASSERT_FALSE(net.asked.empty());
    EXPECT_EQ(net.asked[0], 5);
    EXPECT_EQ(net.load(0, net.words, layout::caller), 0u);
  });
}

TEST(Calls, WhoWasCalledAsksAllItsLifelinesBeforeItNaps) {
  at_rank_0([](scheduler& s, second_call& net) {
    searcher search;
    const auto until_nap = [&] {
      net.asked.clear();
      std::uint64_t ns = 0;
      while (ns == 0) {
        EXPECT_EQ(s.look(search), nullptr);
        ns = s.rest(search);
      }
      return net.asked;
    };
    const auto asks_all = [](const std::vector<int>& asked) {
      const std::vector<int> lifelines = {1, 2, 4, 8};
      return !std::ranges::search(asked, lifelines).empty();
    };
    EXPECT_TRUE(asks_all(until_nap()));
    EXPECT_FALSE(asks_all(until_nap()));  // they know it
    net.call(4);
    net.call(8);  // in place of the other
    EXPECT_TRUE(asks_all(until_nap()));
  });
}

}  // namespace
}  // namespace kasuri::cluster
