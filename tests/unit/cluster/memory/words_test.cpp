// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/words.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>

#include "cache_parts.hpp"
#include "cluster/memory/memory.hpp"
#include "kasuri/global/error.hpp"

namespace kasuri::cluster {
namespace {

using test::block_size;
using test::few_blocks;

constexpr int ranks = 3;

/// body(memory, array, rank) at each rank: `array` begins a block, of which rank 1 is home, and one
/// of rank 2.
void on_memories(const std::function<void(memory&, std::uint64_t, int)>& body) {
  simulation_options network;
  network.ranks = ranks;
  network.jitter_ns = 3000;
  simulation all(network);
  all.run([&](int rank, transport& net) {
    memory m(net, few_blocks(16));
    const std::uint64_t array = m.arrays().add_listed(
        2 * block_size, block_size, [](std::uint64_t i) { return i == 0 ? 1 : 2; });
    net.barrier();
    body(m, array, rank);
    net.barrier();
  });
}

std::uint64_t read_word(memory& m, std::uint64_t offset) {
  std::uint64_t value = 0;
  const held h = m.checkout(offset, sizeof value, access::read);
  std::memcpy(&value, h.data, sizeof value);
  if (h.kept != nullptr) m.check_in(*h.kept);
  return value;
}

void write_word(memory& m, std::uint64_t offset, std::uint64_t value) {
  const held h = m.checkout(offset, sizeof value, access::write);
  std::memcpy(h.data, &value, sizeof value);
  if (h.kept != nullptr) m.check_in(*h.kept);
}

TEST(AtomicWords, NoneOfTheAdditionsOfAllRanksIsLost) {
  on_memories([](memory& m, std::uint64_t array, int) {
    std::uint64_t sum_of_before = 0;
    for (const std::uint64_t word : {array + 16, array + block_size + 8}) {
      for (std::uint64_t i = 1; i != 11; ++i) sum_of_before += m.words().fetch_add(word, i);
      m.network().barrier();
      EXPECT_EQ(m.words().load(word), 55U * ranks);
      EXPECT_EQ(m.words().load(word - 8), 0U);
      EXPECT_EQ(m.words().load(word + 8), 0U);
    }
    EXPECT_GT(sum_of_before, 0U);
  });
}

TEST(AtomicWords, ASwapTellsWhatWasThereAndOneOfAllRanksSucceeds) {
  int swapped = 0;
  on_memories([&swapped](memory& m, std::uint64_t array, int rank) {
    const std::uint64_t mine = 7 + static_cast<unsigned>(rank);
    const std::uint64_t before = m.words().compare_swap(array, 0, mine);
    if (before == 0) {
      ++swapped;
      EXPECT_EQ(m.words().compare_swap(array, 1, 2), mine);  // not 1, and so it stays
    }
    m.network().barrier();
    const std::uint64_t now = m.words().load(array);
    EXPECT_TRUE(before == 0 ? now == mine : now == before);
  });
  EXPECT_EQ(swapped, 1);
}

TEST(AtomicWords, AStoreIsThereForTheNextLoadOfAnyRank) {
  on_memories([](memory& m, std::uint64_t array, int rank) {
    for (std::uint64_t turn = 1; turn != 7; ++turn) {
      if (static_cast<int>(turn) % ranks == rank) m.words().store(array + 8, turn);
      m.network().barrier();
      EXPECT_EQ(m.words().load(array + 8), turn);
      m.network().barrier();
    }
  });
}

TEST(AtomicWords, WhatWasWrittenByACheckoutGoesHomeFirst) {
  on_memories([](memory& m, std::uint64_t array, int rank) {
    if (rank == 0) {
      write_word(m, array + 24, 40);
      write_word(m, array + 32, 50);
      EXPECT_EQ(m.words().fetch_add(array + 24, 2), 40U);
      EXPECT_EQ(m.words().load(array + 32), 50U);
    }
    m.network().barrier();
    EXPECT_EQ(m.words().load(array + 24), 42U);
    if (rank == 1) {  // its home
      EXPECT_EQ(read_word(m, array + 24), 42U);
    }
  });
}

TEST(AtomicWords, TheCopyOfTheBlockIsNotLookedAt) {
  on_memories([](memory& m, std::uint64_t array, int rank) {
    if (rank == 0) {
      EXPECT_EQ(read_word(m, array + 40), 0U);  // from now on there is a copy here
    }
    m.network().barrier();
    if (rank == 2) m.words().store(array + 40, 9);
    m.network().barrier();
    if (rank == 0) {
      EXPECT_EQ(m.words().load(array + 40), 9U);
    }
  });
}

/// What is said of the call; empty: nothing.
std::string complaint(const std::function<void()>& call) {
  try {
    call();
    return "";
  } catch (const global::error& e) {
    return e.what();
  }
}

TEST(AtomicWords, AreAlignedAndInsideOfAnArray) {
  on_memories([](memory& m, std::uint64_t array, int) {
    EXPECT_NE(complaint([&] { m.words().fetch_add(array + 4, 1); })
                  .find("atomic operation at global address " + std::to_string(array + 4) +
                        ": accepted: a multiple of 8"),
              std::string::npos);
    EXPECT_NE(complaint([&] { m.words().store(array + 2 * block_size - 4, 1); }), "");
    EXPECT_NE(complaint([&] {
                m.words().load(array + 2 * block_size);
              }).find("not inside one allocation that exists"),
              std::string::npos);
    EXPECT_EQ(complaint([&] { m.words().load(array + 2 * block_size - 8); }), "");
  });
}

}  // namespace
}  // namespace kasuri::cluster
