// SPDX-License-Identifier: Apache-2.0
// What goes wrong is said in one line that names it; by the public functions, on the simulated
// network.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "cluster/memory/memory.hpp"
#include "cluster/simulated_memory.hpp"
#include "cluster/transport/simulated/simulated.hpp"
#include "kasuri/global/atomic.hpp"
#include "kasuri/global/checkout.hpp"
#include "kasuri/global/error.hpp"
#include "kasuri/global/file.hpp"
#include "kasuri/global/grid.hpp"
#include "kasuri/global/memory.hpp"
#include "kasuri/global/memory_counters.hpp"
#include "kasuri/global/vector.hpp"
#include "loopback.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;

memory_options checked() {
  memory_options o = small_memory();
  o.checked = true;
  return o;
}

/// What f() throws says all of `parts`.
template <class F>
void expect_error(F f, const std::vector<std::string>& parts) {
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

// A part of more elements than the array has is the array, however many that were.
TEST(GlobalMemory, APartMayBeLargerThanItsArray) {
  on_simulated_ranks(3, small_memory(), [](int, transport&, memory&) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / sizeof(int);
    for (const std::size_t chunk : {std::size_t{20'000}, std::size_t{1} << 40, most}) {
      const global::vector<int> dealt(10000, global::cyclic(chunk));
      const global::vector<int> listed(10000, global::listed(chunk, [](std::size_t) { return 1; }));
      EXPECT_EQ(global::home_of(dealt.begin() + 9999), 0);
      EXPECT_EQ(global::home_of(listed.begin() + 9999), 1);
    }
    const global::vector<int> none(0, global::cyclic(most));
    EXPECT_EQ(none.size(), 0u);
  });
}

TEST(GlobalMemory, ArraysKeepWhatIsWrittenAndAreZeroAtFirst) {
  on_simulated_ranks(3, small_memory(), [](int rank, transport& net, memory&) {
    global::vector<int> blocked(10000);
    global::vector<int> dealt(10000, global::cyclic(1024));
    global::vector<int> listed(10000, global::listed(2048, [](std::size_t i) {
                                 return static_cast<int>(i / 2048 % 2) * 2;
                               }));
    for (const auto* v : {&blocked, &dealt, &listed}) {
      EXPECT_EQ(global::get(v->begin() + 9999), 0);
      net.barrier();
      if (rank == 1) {
        for (std::size_t lo = 0; lo != v->size(); lo += 1000) {
          const auto x = global::checkout(v->view().subview(lo, 1000), global::write);
          for (std::size_t i = 0; i != x.size(); ++i) x[i] = static_cast<int>(lo + i);
        }
      }
      net.barrier();
      for (int i = 0; rank == 1 && i < 10000; i += 77) EXPECT_EQ(global::get(v->begin() + i), i);
    }
    EXPECT_EQ(global::home_of(blocked.begin()), 0);
    EXPECT_EQ(global::home_of(blocked.begin() + 9999), 2);
    EXPECT_EQ(global::home_of(dealt.begin() + 1024), 1);
    EXPECT_EQ(global::home_of(listed.begin() + 2048), 2);
    EXPECT_EQ(global::home_of(listed.begin() + 4096), 0);
  });
}

TEST(GlobalMemory, Grids) {
  on_simulated_ranks(2, small_memory(), [](int rank, transport& net, memory&) {
    const global::grid<double> plate(30, 100);
    const global::grid<double> dealt(30, 700, global::cyclic(3));
    const auto v = plate.view();
    EXPECT_EQ(v.rows(), 30U);
    EXPECT_EQ(v.columns(), 100U);
    EXPECT_EQ(v.all().size(), 3000U);
    EXPECT_EQ(v.at(3, 7) - v.all().begin(), 307);
    EXPECT_EQ(v.row_range(4, 2).end(), v.row(6).begin());
    EXPECT_EQ(global::home_of(dealt.view().at(0, 0)), 0);
    EXPECT_EQ(global::home_of(dealt.view().at(4, 0)), 1);
    if (rank == 1) {
      const auto x = global::checkout(v.row(29), global::write);
      x[99] = 4;
    }
    net.barrier();
    if (rank == 1) {
      EXPECT_EQ(global::get(v.at(29, 99)), 4);
    }
  });
}

TEST(GlobalMemory, ManyRangesAtOnce) {
  on_simulated_ranks(2, small_memory(), [](int rank, transport&, memory&) {
    global::vector<int> v(4000);
    global::vector<double> w(4000);
    if (rank == 0) {
      auto [x, y, z] =
          global::checkout_all(global::request(v.begin() + 100, 50, global::write),
                               global::request(w.view().subview(3000, 10), global::write),
                               global::request(v.view().subview(3990, 10), global::read));
      EXPECT_EQ(x.size(), 50U);
      EXPECT_EQ(y.size(), 10U);
      EXPECT_EQ(z[9], 0);
      x[0] = 5;
      y[9] = 2.5;
      x.check_in();
      EXPECT_EQ(global::get(v.begin() + 100), 5);
    }
  });
}

TEST(GlobalMemory, OutsideOfAnAllocation) {
  on_simulated_ranks(2, small_memory(), [](int, transport&, memory&) {
    const global::vector<int> v(1000);
    expect_error([&] { global::checkout(v.begin() + 990, 11, global::read); },
                 {"checkout of 44 bytes", "not inside one allocation"});
    expect_error([&] { global::checkout(global::ptr<int>(), 1, global::read); },
                 {"global address 0", "accepted"});
    expect_error([&] { global::get(global::ptr<int>::at(~0ULL - 2)); }, {"not inside"});
    const global::ptr<int> p = v.begin();
    {
      const global::vector<int> gone(10);
      EXPECT_NE(gone.begin(), p);
    }
    global::ptr<int> was;
    {
      const global::vector<int> gone(10);
      was = gone.begin();
    }
    expect_error([&] { global::put(was, 1); }, {"not inside one allocation that exists"});
  });
}

TEST(GlobalMemory, MoreThanTheCacheHolds) {
  on_simulated_ranks(2, small_memory(), [](int rank, transport&, memory&) {
    const global::vector<char> v(400000);
    if (rank == 0)
      expect_error([&] { global::checkout(v.view(), global::read); },
                   {"checkout of 400000 bytes", "KASURI_CACHE_SIZE=65536"});
    // What has been refused is not in the way.
    EXPECT_EQ(global::get(v.begin() + 399999), 0);
    EXPECT_EQ(global::checkout(v.view().subview(200000, 40000), global::read)[39999], 0);
  });
}

TEST(GlobalMemory, MoreThanTheHeapHolds) {
  on_simulated_ranks(2, small_memory(), [](int rank, transport&, memory&) {
    if (rank != 1) return;
    expect_error([] { global::allocate<int>(100000); },
                 {"allocate of 400000 bytes", "rank 1", "KASURI_GLOBAL_HEAP=65536"});
    std::vector<global::ptr<int>> all;
    expect_error(
        [&] {
          for (;;) all.push_back(global::allocate<int>(1000));
        },
        {"is full", "KASURI_GLOBAL_HEAP"});
    EXPECT_GT(all.size(), 10U);
    for (auto p : all) global::deallocate(p, 1000);
    for (auto& p : all) p = global::allocate<int>(1000);
  });
}

TEST(GlobalMemory, FreedByOthers) {
  std::vector<global::ptr<int>> all;
  on_simulated_ranks(3, small_memory(), [&](int rank, transport& net, memory&) {
    for (int round = 0; round != 20; ++round) {
      if (rank == 0) {
        all.clear();
        for (int i = 0; i != 40; ++i) all.push_back(global::allocate<int>(300));
        EXPECT_EQ(global::home_of(all[0]), 0);
      }
      net.barrier();
      for (std::size_t i = static_cast<std::size_t>(rank); i < all.size(); i += 3)
        global::deallocate(all[i], 300);
      net.barrier();
    }
    if (rank == 0)
      expect_error([&] { global::deallocate(all[0], 300); }, {"has been freed before"});
    if (rank == 1) {
      expect_error([&] { global::deallocate(all[0], 300); }, {"has been freed before"});
      expect_error([&] { global::deallocate(all[0] + 100, 1); }, {"no object begins there"});
    }
  });
}

TEST(GlobalMemory, AGridOfTooManyElementsIsRefused) {
  on_simulated_ranks(2, small_memory(), [](int, transport&, memory&) {
    constexpr std::size_t many = std::size_t{1} << 40;
    for (const auto& make : std::vector<std::function<void()>>{
             [] { global::grid<char>(many, many); },
             [] { global::grid<char>(many, many, global::cyclic(1)); },
             [] { global::grid<char>(1, many, global::cyclic(many)); }})
      expect_error(make, {"global::grid: ", "1099511627776", "accepted: at most"});
  });
}

TEST(GlobalMemory, AWrongSizeIsRefusedAndTouchesNoNeighbour) {
  std::vector<global::ptr<int>> all;
  on_simulated_ranks(2, small_memory(), [&](int rank, transport& net, memory&) {
    if (rank == 0)
      for (int i = 0; i != 4; ++i) all.push_back(global::allocate<int>(100));
    net.barrier();
    if (rank == 1) {
      // Written and not brought home when the wrong ones come.
      for (int i = 0; i != 4; ++i) {
        const auto x = global::checkout(all[static_cast<std::size_t>(i)], 100, global::write);
        std::fill(x.begin(), x.end(), 7 + i);
      }
      for (const std::size_t wrong : {0, 1, 80, 113, 1000, 1'000'000'000})
        expect_error([&] { global::deallocate(all[1], wrong); }, {"it has another size"});
      global::deallocate(all[1], 100);
      (void)current_process->memory->release();
    }
    net.barrier();
    if (rank == 0) {
      for (const int i : {0, 2, 3}) {
        const auto x = global::checkout(all[static_cast<std::size_t>(i)], 100, global::read);
        EXPECT_EQ(std::ranges::count(x, 7 + i), 100);
      }
    }
  });
}

// Sizes are known by classes: one that is wrong within its class is served, and nothing of the
// object is brought home later, where another may be by then.
TEST(GlobalMemory, NothingOfAFreedObjectIsBroughtHome) {
  global::ptr<int> first;
  on_simulated_ranks(2, small_memory(), [&](int rank, transport& net, memory&) {
    if (rank == 0) first = global::allocate<int>(100);
    net.barrier();
    if (rank == 1) {
      const auto x = global::checkout(first, 100, global::write);
      std::fill(x.begin(), x.end(), 1);
    }
    net.barrier();
    if (rank == 1) global::deallocate(first, 99);
    net.barrier();
    if (rank == 0) {
      for (int i = 0; i != 4; ++i) global::put(first + 96 + i, 5);  // as the next owner would
      (void)current_process->memory->release();
    }
    net.barrier();
    if (rank == 1) (void)current_process->memory->release();
    net.barrier();
    if (rank == 0) {
      for (int i = 0; i != 4; ++i) EXPECT_EQ(global::get(first + 96 + i), 5);
    }
  });
}

TEST(GlobalMemory, WordsAreCountedOnceEach) {
  on_simulated_ranks(4, small_memory(), [](int rank, transport& net, memory&) {
    const global::vector<std::uint64_t> v(1000);
    const auto word = v.begin() + 999;
    if (rank == 1) global::put(word, 100);
    if (rank == 1) {
      EXPECT_EQ(global::fetch_add(word, 1), 100U);
    }
    net.barrier();
    for (int i = 0; i != 10; ++i) global::fetch_add(word, 2);
    for (int i = 0; i != 10; ++i) {
      std::uint64_t seen = global::atomic_load(word);
      while (!global::compare_exchange(word, seen, seen + 1)) {
      }
    }
    net.barrier();
    EXPECT_EQ(global::atomic_load(word), 101U + 4 * 30);
    expect_error([&] { global::fetch_add(global::ptr<std::uint64_t>::at(word.offset() - 4), 1); },
                 {"atomic operation"});
    net.barrier();
    if (rank == 3) global::atomic_store(word, 7);
    net.barrier();
    EXPECT_EQ(global::atomic_load(word), 7U);
  });
}

TEST(GlobalMemory, Files) {
  const std::string path = testing::TempDir() + "kasuri_global_file";
  std::FILE* f = std::fopen(path.c_str(), "wb");
  ASSERT_NE(f, nullptr);
  for (int i = 0; i != 5000; ++i) std::fwrite(&i, sizeof i, 1, f);
  std::fclose(f);
  on_simulated_ranks(2, small_memory(), [&](int, transport&, memory&) {
    const global::file_view<int> file(path);
    ASSERT_EQ(file.size(), 5000U);
    EXPECT_EQ(global::get(file.begin() + 4321), 4321);
    expect_error([&] { global::checkout(file.begin() + 5000, 1, global::read); }, {"not inside"});
    expect_error(
        [&] { global::checkout(global::ptr<int>::at(file.begin().offset()), 1, global::write); },
        {"file_view", "read-only"});
  });
  std::remove(path.c_str());
  on_simulated_ranks(2, small_memory(), [&](int, transport&, memory&) {
    expect_error([&] { const global::file_view<int> file(path); }, {path, "cannot read it"});
    for (const char* no_file : {"/proc/self/status", "/dev/null", "/"})
      expect_error([&] { const global::file_view<char> file(no_file); },
                   {no_file, "rank 0 finds a folder, a device", "accepted: a regular file"});
  });
  std::fclose(std::fopen(path.c_str(), "wb"));
  on_simulated_ranks(2, small_memory(), [&](int, transport&, memory&) {
    EXPECT_EQ(global::file_view<char>(path).size(), 0U);
  });
  std::remove(path.c_str());
}

TEST(GlobalMemory, OneRankNeedsNoCache) {
  on_simulated_ranks(1, small_memory(), [](int, transport&, memory&) {
    const global::vector<int> v(500000);
    {
      const auto x = global::checkout(v.view(), global::write);
      x[499999] = 3;
    }
    EXPECT_EQ(global::get(v.begin() + 499999), 3);
    EXPECT_EQ(global::count_memory().fetched_bytes, 0U);
    expect_error([&] { global::checkout(v.begin() + 499999, 2, global::read); }, {"not inside"});
  });
}

TEST(GlobalMemory, WhatDoesNotFit) {
  on_simulated_ranks(2, small_memory(), [](int, transport&, memory&) {
    expect_error([] { const global::vector<int> v(std::size_t{1} << 40); },
                 {"KASURI_GLOBAL_RANGE"});
    expect_error([] { const global::vector<int> v(~std::size_t{0}); }, {"KASURI_GLOBAL_RANGE"});
    expect_error(
        [] {
          const global::vector<int> v(10000, global::listed(1024, [](std::size_t) { return 9; }));
        },
        {"rank 9", "0 to 1"});
  });
  for (auto change : {+[](memory_options& o) { o.block_bytes = 5000; },
                      +[](memory_options& o) { o.cache_bytes = 100; }}) {
    memory_options o = small_memory();
    change(o);
    expect_error([&] { on_simulated_ranks(2, o, [](int, transport&, memory&) {}); },
                 {"KASURI_", "accepted"});
  }
  // Each rank finds out by itself, and none waits for another.
  simulation_options net;
  net.ranks = 2;
  simulation all(net);
  all.run([&](int, transport& network) {
    memory_options o = small_memory();
    o.heap_bytes = std::size_t{200} << 30;
    expect_error([&] { memory m(network, o); },
                 {"the heaps of 214748364800 bytes at each of 2 ranks (KASURI_GLOBAL_HEAP)",
                  "KASURI_GLOBAL_RANGE"});
  });
}

TEST(GlobalMemory, RanksThatDisagree) {
  simulation_options net;
  net.ranks = 2;
  simulation all(net);
  all.run([&](int rank, transport& network) {
    memory_options o = small_memory();
    if (rank == 1) o.heap_bytes *= 2;
    expect_error([&] { memory m(network, o); }, {"KASURI_GLOBAL_HEAP", "65536", "131072"});
  });
}

TEST(GlobalMemory, ConflictingCheckoutsOfTasks) {
  on_ranks(2, [](transport& network) {
    memory_options o = small_memory();
    o.checked = true;
    memory m(network, o);
    const std::uint64_t v = m.arrays().add_blocked(20000);
    const held reading = m.checkout(v + 100, 50, access::read);
    std::thread([&] {
      expect_error(
          [&] { m.checkout(v + 149, 10, access::write); },
          {"checkout of 10 bytes", "access write", "checked out for reading", "another task"});
      const held also = m.checkout(v + 149, 10, access::read);
      const held inside = m.checkout(v + 150, 9, access::write);
      m.check_in(*also.kept);
      m.check_in(*inside.kept);
      EXPECT_EQ(m.checked_out(), 0U);
    }).join();
    EXPECT_EQ(m.checked_out(), 1U);
    m.check_in(*reading.kept);
    EXPECT_EQ(m.checked_out(), 0U);
    network.barrier();
  });
}

TEST(GlobalMemoryDeathTest, ACheckoutHeldOverAFork) {
  const auto program = [] {
    on_simulated_ranks(2, checked(), [](int, transport&, memory&) {
      const global::vector<int> v(1000);
      const auto x = global::checkout(v.begin() + 10, 5, global::read);
      (void)current_process->memory->release();
    });
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(2),
              "checkout of 20 bytes.*held over a fork or join");
}

TEST(GlobalMemoryDeathTest, TwoRanksThatWriteTheSame) {
  const auto program = [] {
    token of_rank_0;
    on_simulated_ranks(2, checked(), [&](int rank, transport& net, memory&) {
      const global::vector<int> v(4000);
      global::put(v.begin() + 100, rank);
      if (rank == 0) of_rank_0 = current_process->memory->release();
      net.barrier();
      if (rank == 1) current_process->memory->acquire(of_rank_0);
      net.barrier();
    });
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(2), "written by rank 0 and by rank 1");
}

TEST(GlobalMemory, ManyCheckoutsAtOnce) {
  on_simulated_ranks(2, small_memory(), [](int, transport&, memory&) {
    const global::vector<int> v(8000);
    std::vector<global::checked_out<int>> all;
    for (int i = 0; i != 40; ++i)
      all.push_back(global::checkout(v.begin() + i * 150, 3, global::read_write));
    for (auto& x : all) x[2] = 1;
    EXPECT_EQ(current_process->memory->checked_out(), 40U);
    all.clear();
    EXPECT_EQ(current_process->memory->checked_out(), 0U);
  });
}

}  // namespace
}  // namespace kasuri::test
