// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/base/transfers.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cluster/transport/forwarding.hpp"
#include "cluster/transport/simulated/simulated.hpp"

namespace kasuri::cluster {
namespace {

/// Notes down what goes over the network.
class noted final : public forwarding_transport {
 public:
  explicit noted(transport& net) : forwarding_transport(net) {}
  std::vector<std::string> calls;

  void put(int target, const window& w, std::size_t offset, const void* from,
           std::size_t bytes) override {
    calls.push_back("put " + std::to_string(target) + ' ' + std::to_string(offset) + '+' +
                    std::to_string(bytes));
    forwarding_transport::put(target, w, offset, from, bytes);
  }
  void get(int target, const window& w, std::size_t offset, void* to, std::size_t bytes) override {
    calls.push_back("get " + std::to_string(target) + ' ' + std::to_string(offset) + '+' +
                    std::to_string(bytes));
    forwarding_transport::get(target, w, offset, to, bytes);
  }
  void flush(int target) override {
    calls.push_back("flush " + std::to_string(target));
    forwarding_transport::flush(target);
  }
};

template <class Body>
void at_rank_0(Body body) {
  simulation_options options;
  options.ranks = 3;
  simulation all(options);
  all.run([&](int rank, transport& inner) {
    noted net(inner);
    window w = net.allocate(4096);
    if (rank == 0) body(net, w);
    net.barrier();
    net.free(w);
  });
}

using calls = std::vector<std::string>;

TEST(Transfers, NeighboursHereAndThereGoInOne) {
  at_rank_0([](noted& net, const window& w) {
    std::vector<std::byte> here(4096);
    transfers t(net);
    EXPECT_TRUE(t.none());
    for (std::uint64_t i = 0; i != 4; ++i) t.put(1, w, 100 + 10 * i, here.data() + 10 * i, 10);
    t.put(1, w, 200, here.data() + 40, 5);  // follows here, but not there
    t.put(1, w, 205, here.data() + 50, 5);  // follows there, but not here
    t.get(1, w, 210, here.data() + 55, 5);  // follows, the other way
    t.get(2, w, 215, here.data() + 60, 5);  // follows, at another rank
    EXPECT_FALSE(t.none());
    t.finish();
    EXPECT_TRUE(t.none());
    EXPECT_EQ(net.calls, (calls{"put 1 100+40", "put 1 200+5", "put 1 205+5", "get 1 210+5",
                                "get 2 215+5", "flush 1", "flush 2"}));
    EXPECT_EQ(t.finish(), 0U);  // nothing is under way
    EXPECT_EQ(net.calls.size(), 7U);
  });
}

TEST(Transfers, TheLastWaitsForMoreUntilItIsSent) {
  at_rank_0([](noted& net, const window& w) {
    std::vector<std::byte> here(64);
    transfers t(net);
    t.get(2, w, 0, here.data(), 8);
    EXPECT_TRUE(net.calls.empty());
    t.send();
    EXPECT_EQ(net.calls, calls{"get 2 0+8"});
    t.get(2, w, 8, here.data() + 8, 8);
    EXPECT_GT(t.finish(), 0U);
    EXPECT_EQ(net.calls, (calls{"get 2 0+8", "get 2 8+8", "flush 2"}));
  });
}

}  // namespace
}  // namespace kasuri::cluster
