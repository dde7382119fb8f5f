// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/mpi/mpi_windows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "fake_mpi.hpp"

namespace kasuri::cluster {
namespace {

using test::fake_mpi;
using calls = std::vector<std::string>;

struct windows_of {
  explicit windows_of(fake_mpi::state& s, bool flush_all = false)
      : turns(std::make_unique<fake_mpi>(s)),
        messages(turns, {}),
        with(turns, messages),
        all(turns, with, flush_all) {}

  mpi_turns turns;
  mpi_messages messages;
  mpi_collectives with;
  mpi_windows all;
};

TEST(MpiWindows, MemoryThatCannotBeShownTwiceIsThisProcesss) {
  fake_mpi::state s;
  windows_of w(s);
  window a = w.all.allocate(10'000);  // the fake's own memory is not shared
  EXPECT_NE(std::ranges::find(s.calls, "free 0"), s.calls.end());
  EXPECT_EQ(s.calls[s.calls.size() - 2], "all_gather 1");
  EXPECT_NE(std::ranges::find(s.calls, "expose"), s.calls.end());
  EXPECT_FALSE(w.all.one_sided());
  s.calls.clear();
  window b = w.all.allocate(100);  // from then on MPI is not asked any more
  EXPECT_EQ(std::ranges::find(s.calls, "allocate"), s.calls.end());
  EXPECT_NE(a.id, b.id);
  w.all.free(b);
  w.all.free(a);
  EXPECT_EQ(a.local, nullptr);
}

TEST(MpiWindows, AFlushIsForWhatIsPending) {
  fake_mpi::state s;
  windows_of w(s);
  window a = w.all.allocate(4096);
  window b = w.all.allocate(4096);
  std::uint64_t value = 7;
  s.calls.clear();
  w.all.flush(1);
  EXPECT_TRUE(s.calls.empty());
  w.all.put(1, b, 64, &value, sizeof value);
  value = 0;
  w.all.get(1, b, 64, &value, sizeof value);
  EXPECT_EQ(value, 7U);
  w.all.flush(0);  // nothing for that rank
  w.all.flush(1);
  w.all.flush(1);
  EXPECT_EQ(s.calls, (calls{"put 1", "get 1", "probe 1 in 2", "flush 1 in 2"}));
  s.calls.clear();
  w.all.put(0, a, 0, &value, sizeof value);
  w.all.flush(0);  // one's own needs no sign of life
  EXPECT_EQ(s.calls, (calls{"put 0", "flush 0 in 1"}));
  w.all.free(b);
  w.all.free(a);
}

TEST(MpiWindows, WordsAreWaitedForAndStoresArePosted) {
  fake_mpi::state s;
  windows_of w(s);
  window a = w.all.allocate(4096);
  EXPECT_EQ(w.all.fetch_add(1, a, 8, 5), 0U);
  EXPECT_EQ(w.all.compare_swap(1, a, 8, 5, 9), 5U);
  EXPECT_EQ(w.all.compare_swap(1, a, 8, 5, 1), 9U);
  EXPECT_EQ(w.all.load(1, a, 8), 9U);
  s.calls.clear();
  for (std::uint64_t i = 0; i != 64; ++i) w.all.store(1, a, 16, i);
  EXPECT_EQ(std::ranges::count(s.calls, "store 1"), 64);
  EXPECT_EQ(s.calls.size(), 64U);
  w.all.store(1, a, 16, 64);  // MPI may not have read the others: they are flushed first
  EXPECT_EQ(s.calls[64], "probe 1 in 1");
  EXPECT_EQ(s.calls[65], "flush 1 in 1");
  EXPECT_EQ(w.all.load(1, a, 16), 64U);
  w.all.free(a);
}

TEST(MpiWindows, WordsOfBothSizesAreChangedByAnyOperation) {
  using kind = atomic_operation::kind;
  fake_mpi::state s;
  windows_of w(s);
  window a = w.all.allocate(4096);
  for (const std::uint32_t bytes : {4U, 8U}) {
    const std::size_t at = 16U * bytes + bytes;
    const std::uint64_t least = bytes == 4 ? UINT32_MAX : UINT64_MAX;
    EXPECT_EQ(w.all.apply(1, a, at, {kind::add, bytes, least, 0}), 0U);
    EXPECT_EQ(w.all.apply(1, a, at, {kind::load, bytes, 0, 0}), least);
    EXPECT_EQ(w.all.apply(1, a, at, {kind::add, bytes, 6, 0}), least);
    EXPECT_EQ(w.all.apply(1, a, at, {kind::exchange, bytes, 8, 0}), 5U);
    EXPECT_EQ(w.all.apply(1, a, at, {kind::compare_swap, bytes, 9, 7}), 8U);
    EXPECT_EQ(w.all.apply(1, a, at, {kind::compare_swap, bytes, 9, 8}), 8U);
    EXPECT_EQ(w.all.apply(1, a, at, {kind::load, bytes, 0, 0}), 9U);
    EXPECT_EQ(w.all.apply(1, a, at + bytes, {kind::load, bytes, 0, 0}), 0U);  // beside
    EXPECT_EQ(w.all.apply(1, a, at - bytes, {kind::load, bytes, 0, 0}), 0U);
  }
  w.all.free(a);
}

TEST(MpiWindows, TheCallForAllTargetsIsMadeWhereItIsAskedFor) {
  fake_mpi::state s;
  windows_of w(s, true);
  window a = w.all.allocate(4096);
  const std::uint64_t value = 7;
  s.calls.clear();
  w.all.put(1, a, 0, &value, sizeof value);
  w.all.flush(1);
  EXPECT_EQ(s.calls, (calls{"put 1", "flush_all 1"}));
  s.calls.clear();
  w.all.end();
  EXPECT_EQ(s.calls, calls{"free 1"});
  w.all.end();  // once
  EXPECT_EQ(s.calls, calls{"free 1"});
}

}  // namespace
}  // namespace kasuri::cluster
