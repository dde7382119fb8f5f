// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/meet.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "cluster/transport/transport.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/process/launched_rank.hpp"

namespace kasuri::cluster {
namespace {

struct announcement {
  collective_call call;
  std::array<std::byte, most_announced> more;
};

}  // namespace

void meet(transport& network, collective_call call, std::span<const std::byte> mine,
          std::span<std::byte> all) {
  KASURI_EXPECT(cheap,
                mine.size() <= most_announced &&
                    all.size() == mine.size() * static_cast<std::size_t>(network.size()),
                "%zu bytes of each of %d ranks, into %zu", mine.size(), network.size(), all.size());
  KASURI_EXPECT(cheap, call.what != collective_call::kind::none,
                "rank %d announces no call, behind number %u", network.rank(),
                network.entered().number);
  if (network.size() == 1) {
    std::ranges::copy(mine, all.begin());
    return;
  }
  network.enter(call);
  announcement own{network.entered(), {}};
  std::ranges::copy(mine, own.more.begin());
  std::vector<announcement> told(static_cast<std::size_t>(network.size()));
  network.all_gather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(told)));
  for (std::size_t r = 0; r != told.size(); ++r) {
    if (told[r].call == told[0].call) {
      std::copy_n(told[r].more.begin(), mine.size(),
                  all.begin() + static_cast<std::ptrdiff_t>(r * mine.size()));
      continue;
    }
    platform::let_rank_0_speak();
    platform::fatal(
        "collective calls that do not match: rank 0 is in %s, rank %zu in %s; accepted: "
        "the same calls by all ranks, in the same order",
        in_words(told[0].call).c_str(), r, in_words(told[r].call).c_str());
  }
}

}  // namespace kasuri::cluster
