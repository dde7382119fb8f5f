// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/meet.hpp"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <vector>

#include "cluster/transport/simulated/simulated.hpp"

namespace kasuri::cluster {
namespace {

TEST(Meet, HandsOutWhatEachRankBringsAndCountsTheCalls) {
  for (const int ranks : {1, 4}) {
    simulation_options options;
    options.ranks = ranks;
    simulation all(options);
    all.run([&](int rank, transport& net) {
      for (std::uint64_t round = 1; round != 4; ++round) {
        const std::array<std::uint64_t, 2> mine{static_cast<std::uint64_t>(rank), round};
        std::vector<std::array<std::uint64_t, 2>> got(static_cast<std::size_t>(ranks));
        meet(net, {.what = collective_call::kind::cyclic, .sizes = {100, round}},
             std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(got)));
        for (std::size_t r = 0; r != got.size(); ++r) {
          EXPECT_EQ(got[r][0], r);
          EXPECT_EQ(got[r][1], round);
        }
        meet(net, {.what = collective_call::kind::file});  // with nothing
        if (ranks > 1) {
          EXPECT_EQ(net.entered().number, 2 * round);
          EXPECT_EQ(net.entered().what, collective_call::kind::file);
        }
      }
    });
  }
}

}  // namespace
}  // namespace kasuri::cluster
