// SPDX-License-Identifier: Apache-2.0
// What containers refuse, and with which words; and what their operations send.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cluster/containers/working_ranks.hpp"
#include "kasuri/global/atomic.hpp"
#include "kasuri/global/container/bag.hpp"
#include "kasuri/global/container/hash_map.hpp"
#include "kasuri/global/error.hpp"
#include "kasuri/global/memory.hpp"
#include "kasuri/global/run.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;
using global::insertion;
using counting_map = global::hash_map<std::uint64_t, std::uint64_t>;

/// What f() throws says all of `parts`.
template <class F>
void expect_refusal(F f, const std::vector<std::string>& parts) {
  try {
    f();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const global::error& e) {
    const std::string text = e.what();
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    for (const std::string& part : parts)
      EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
  }
}

/// On ranks of whose memory nothing is special.
void on_plain_ranks(int ranks, const std::function<void(int, transport&)>& main) {
  on_working_ranks(ranks, 1, small_memory(), main);
}

TEST(HashMap, OfACapacityThatCannotBe) {
  on_plain_ranks(3, [](int, transport&) {
    expect_refusal([] { const counting_map map(0); },
                   {"global::hash_map of capacity 0", "accepted: 1 to "});
    expect_refusal([] { const counting_map map(std::numeric_limits<std::size_t>::max()); },
                   {"global::hash_map of capacity 18446744073709551615", "on 3 ranks"});
    expect_refusal([] { const counting_map map(1'000'000); },
                   {"a global::hash_map of capacity 1000000 (entries of 40 bytes)",
                    "the address range of 8388608 bytes", "KASURI_GLOBAL_RANGE"});
    expect_refusal([] { const counting_map map(10'000'000'000); },
                   {"a global::hash_map of capacity 10000000000 (entries of 40 bytes)",
                    "KASURI_GLOBAL_RANGE"});
    const counting_map map(4);  // and the ranks go on
    EXPECT_EQ(map.capacity(), 6U);
  });
}

TEST(HashMap, ThatIsFullSaysSoAndKeepsWhatItHas) {
  on_plain_ranks(2, [](int, transport&) {
    const counting_map map(10);
    const int right = global::run([v = map.view()] {
      int good = 0;
      for (std::uint64_t key = 0; key != 10; ++key) good += v.insert(key, key) == insertion::made;
      good += v.insert(10, 1) == insertion::full;
      good += v.add(11, 1) == insertion::full;
      const auto next = [](std::uint64_t x) { return x + 1; };
      good += v.update(12, 1, next) == insertion::full;
      good += !v.contains(10) && !v.find(11) && !v.find(12);
      good += v.add(3, 1) == insertion::present && v.find(3) == 4;
      good += v.update(4, 1, next) == insertion::present && v.find(4) == 5;
      good += v.insert(5, 100) == insertion::present && v.find(5) == 5;
      return good;
    });
    EXPECT_EQ(right, 17);
    EXPECT_EQ(map.view().size(), 10U);
  });
}

TEST(HashMap, ThatHasEnded) {
  on_plain_ranks(2, [](int, transport& net) {
    counting_map map(10);
    const auto v = map.view();
    {
      const counting_map other = std::move(map);
      EXPECT_EQ(v.insert(7, 1) == insertion::full, false);
      net.barrier();
    }
    expect_refusal([v] { (void)v.find(7); }, {"not inside one allocation that exists"});
    const auto none = map.view();  // it was moved from
    const std::vector<std::string> without{"global::hash_map_view: used without a map"};
    expect_refusal([none] { (void)none.find(7); }, without);
    expect_refusal([none] { (void)none.insert(7, 7); }, without);
    expect_refusal([none] { (void)none.size(); }, without);
    EXPECT_EQ(map.capacity(), 0U);
    map = counting_map(5);
    EXPECT_EQ(map.view().size(), 0U);
    net.barrier();
  });
}

TEST(HashMap, OutsideOfRunsToo) {
  on_plain_ranks(3, [](int rank, transport& net) {
    const counting_map map(100);
    const auto mine = static_cast<std::uint64_t>(rank);
    EXPECT_EQ(map.view().insert(mine, 10 * mine), insertion::made);
    (void)map.view().add(99, 1);
    net.barrier();
    EXPECT_EQ(map.view().size(), 4U);
    EXPECT_EQ(map.view().find(99), 3U);
    net.barrier();
  });
}

/// Pieces longer than a leaf, and leaves longer than a map, are cut to it.
TEST(HashMap, WalksOverEachKeyOnceInPiecesOfAnySize) {
  on_plain_ranks(2, [](int, transport&) {
    const counting_map map(300);
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    const int wrong = global::run([v = map.view()] {
      for (std::uint64_t key = 0; key != 100; ++key) (void)v.insert(key, key);
      int bad = 0;
      for (const global::policy p : {global::policy{.cutoff = 4, .checkout = most},
                                     {.cutoff = most, .checkout = 7},
                                     {.cutoff = most, .checkout = most},
                                     {.cutoff = 0, .checkout = most},
                                     {.cutoff = 9, .checkout = 2}}) {
        const auto calls = global::allocate<std::uint64_t>(2);
        global::atomic_store(calls, 0);
        global::atomic_store(calls + 1, 0);
        v.for_each(
            [=](std::uint64_t key, std::uint64_t) {
              global::fetch_add(calls, 1);
              global::fetch_add(calls + 1, key);
            },
            p);
        bad += global::atomic_load(calls) != 100 || global::atomic_load(calls + 1) != 4950;
        global::deallocate(calls, 2);
      }
      return bad;
    });
    EXPECT_EQ(wrong, 0);
  });
}

/// In a map that is nearly empty, so that each search is a step or two.
TEST(HashMap, SendsWhatIsSaid) {
  simulation all(jittery_network(2, 1));
  memory_options options = small_memory();
  all.run([&](int rank, transport& net) {
    memory m(net, options);
    all.process_of(rank).memory = &m;
    {
      const counting_map map(2000);
      const counting_map narrow(300);
      const global::hash_map<std::uint64_t, std::array<std::uint64_t, 8>> wide(2000);
      const global::bag<std::uint64_t> bag;
      net.barrier();
      if (rank == 0) {
        // All that rank 0 sends from here on; rank 1 waits.
        const auto sent = [&](auto operation) {
          const auto before = all.traffic();
          operation();
          const auto now = all.traffic();
          EXPECT_EQ(now.puts, before.puts);
          return std::pair(now.words - before.words, now.gets - before.gets);
        };
        std::pair<std::uint64_t, std::uint64_t> sums[5] = {};
        const auto add_to = [&](int which, auto operation) {
          const auto [words, gets] = sent(operation);
          sums[which].first += words;
          sums[which].second += gets;
        };
        constexpr std::uint64_t keys = 100;
        for (std::uint64_t key = 0; key != keys; ++key) {
          add_to(0, [&] { EXPECT_EQ(map.view().insert(key, 1), insertion::made); });
          add_to(1, [&] { EXPECT_EQ(map.view().add(key, 1), insertion::present); });
          add_to(2, [&] { EXPECT_EQ(map.view().find(key), 2U); });
          add_to(3, [&] { EXPECT_FALSE(map.view().find(key + 1000)); });
          add_to(4, [&] { bag.view().add(key); });
        }
        // Half the slots are at the other rank, all entries here.
        EXPECT_NEAR(static_cast<double>(sums[0].first), 2 * keys / 2., keys * 0.3);
        EXPECT_NEAR(static_cast<double>(sums[1].first), keys / 2., keys * 0.15);
        EXPECT_NEAR(static_cast<double>(sums[2].first), keys / 2., keys * 0.15);
        EXPECT_NEAR(static_cast<double>(sums[3].first), keys / 2., keys * 0.2);
        for (const auto& s : sums) EXPECT_EQ(s.second, 0U);
        EXPECT_EQ(sums[4].first, 0U);
      }
      net.barrier();
      if (rank == 0) {
        // Room for 150 entries is here, so the others are made at the other rank.
        for (std::uint64_t key = 0; key != 150; ++key) (void)narrow.view().insert(key, 1);
        const auto before = all.traffic();
        for (std::uint64_t key = 150; key != 250; ++key)
          EXPECT_EQ(narrow.view().insert(key, 1), insertion::made);
        const auto now = all.traffic();
        // Beside the steps and 1, half of which are here: 4 words, and value and key in one wait.
        EXPECT_NEAR(static_cast<double>(now.words - before.words), 100 * (0.5 * 2.5 + 4), 60.);
        EXPECT_EQ(now.puts - before.puts, 200U);
      }
      net.barrier();
      if (rank == 1) {
        // The entries are at the other rank.
        const auto before = all.traffic();
        for (std::uint64_t key = 0; key != 100; ++key) EXPECT_EQ(map.view().find(key), 2U);
        const auto now = all.traffic();
        EXPECT_EQ(now.gets - before.gets, 100U);
        EXPECT_LE(now.words - before.words, 100 + 65U);
        for (std::uint64_t key = 0; key != 100; ++key) (void)wide.view().insert(key, {key});
      }
      net.barrier();
      if (rank == 0) {
        const auto before = all.traffic();
        for (std::uint64_t key = 0; key != 100; ++key)
          EXPECT_EQ(wide.view().find(key).value()[0], key);
        const auto now = all.traffic();
        EXPECT_EQ(now.gets - before.gets, 200U);  // key and value, one wait
        EXPECT_LE(now.words - before.words, 65U);
      }
      net.barrier();
    }
    all.process_of(rank).memory = nullptr;
  });
}

TEST(Bag, ThatFindsItsHeapFullKeepsWhatItHas) {
  on_plain_ranks(2, [](int rank, transport& net) {
    const global::bag<std::array<char, 2000>> bag;
    std::size_t added = 0;
    if (rank == 1) {
      expect_refusal(
          [&] {
            for (;; ++added) bag.view().add({'a'});
          },
          {"the heap of rank 1 is full", "KASURI_GLOBAL_HEAP"});
      EXPECT_GE(added, 14U);
      EXPECT_EQ(bag.view().size(), added);
      bag.view().clear();
      for (std::size_t i = 0; i != added; ++i) bag.view().add({'b'});
      EXPECT_EQ(bag.view().size(), added);
    }
    net.barrier();
  });
  // Its memory is the heap's again.
  on_plain_ranks(2, [](int, transport&) {
    for (int i = 0; i != 20; ++i) {
      const global::bag<std::array<char, 2000>> bag;
      for (int n = 0; n != 10; ++n) bag.view().add({});
    }
  });
}

TEST(Bag, ThatHasEnded) {
  on_plain_ranks(2, [](int, transport& net) {
    global::bag<int> bag;
    const auto v = bag.view();
    {
      const global::bag<int> other = std::move(bag);
      v.add(5);
      net.barrier();
      EXPECT_EQ(other.view().size(), 2U);
      net.barrier();
    }
    expect_refusal([v] { v.add(5); }, {"not inside one allocation that exists"});
    bag = global::bag<int>();
    EXPECT_EQ(bag.view().size(), 0U);
    EXPECT_EQ(global::to_vector(bag).size(), 0U);
    net.barrier();
  });
}

}  // namespace
}  // namespace kasuri::test
