// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/space/heap.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "cluster/transport/simulated/simulated.hpp"
#include "kasuri/global/error.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::uint64_t part = std::uint64_t{1} << 16;

/// body(rank, heap, network) at each of two ranks.
template <class Body>
void on_heaps(Body body) {
  simulation_options options;
  simulation all(options);
  all.run([&](int rank, transport& net) {
    window parts = net.allocate(part);
    window words = net.allocate(4096);
    heap h(net, parts, words, 0, part);
    body(rank, h, net);
    net.barrier();
    net.free(words);
    net.free(parts);
  });
}

TEST(Heap, ObjectsAreApartAndUsedAgain) {
  on_heaps([](int rank, heap& h, transport&) {
    if (rank != 0) return;
    std::mt19937 random(7);
    std::map<std::uint64_t, std::uint64_t> live;  // end by start
    for (int i = 0; i != 2000; ++i) {
      if (live.size() > 40 || (random() % 3 == 0 && !live.empty())) {
        const auto victim = std::next(live.begin(), random() % live.size());
        const std::uint64_t bytes = victim->second - victim->first;
        EXPECT_GE(h.expect(0, victim->first, bytes), bytes);
        h.deallocate(0, victim->first);
        live.erase(victim);
        continue;
      }
      const std::uint64_t bytes = 1 + random() % 500;
      const std::uint64_t at = h.allocate(bytes);
      EXPECT_EQ(at % 16, 0U);
      EXPECT_LE(at + bytes, part);
      const auto above = live.lower_bound(at);
      if (above != live.end()) {
        EXPECT_LE(at + bytes, above->first);
      }
      if (above != live.begin()) {
        EXPECT_LE(std::prev(above)->second, at);
      }
      live.emplace(at, at + bytes);
    }
    for (const auto& [begin, end] : live) h.deallocate(0, begin);
    EXPECT_EQ(h.used_bytes(), 0U);
  });
}

TEST(Heap, TakesBackWhatOthersHaveFreed) {
  std::vector<std::uint64_t> objects;
  on_heaps([&](int rank, heap& h, transport& net) {
    for (int round = 0; round != 3; ++round) {  // each fills the heap
      if (rank == 0) {
        objects.clear();
        for (;;) {
          try {
            objects.push_back(h.allocate(1000));
          } catch (const global::error&) {
            break;
          }
        }
        EXPECT_GT(objects.size(), 50U);
      }
      net.barrier();
      if (rank == 1)
        for (const std::uint64_t o : objects) h.deallocate(0, o);
      net.barrier();
    }
  });
}

TEST(Heap, RefusesObjectsThatAreNone) {
  on_heaps([](int rank, heap& h, transport&) {
    if (rank != 0) return;
    const std::uint64_t at = h.allocate(100);
    EXPECT_THROW(h.expect(0, at, 1000), global::error);  // another size
    EXPECT_THROW(h.expect(0, at + 16, 100), global::error);
    EXPECT_THROW(h.expect(0, at + 1, 100), global::error);
    EXPECT_THROW(h.expect(0, part + 16, 100), global::error);
    h.deallocate(0, at);
    EXPECT_THROW(h.expect(0, at, 100), global::error);
    EXPECT_THROW(h.deallocate(0, at), global::error);
    EXPECT_THROW(h.allocate(part), global::error);
  });
}

}  // namespace
}  // namespace kasuri::cluster
