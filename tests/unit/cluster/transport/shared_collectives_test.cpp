// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/shared/shared_collectives.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "cluster/transport/shared/shared.hpp"

namespace kasuri::cluster {
namespace {

/// body(rank, collectives) on a thread for each rank, each with a mapping of its own of the job's
/// file.
void on_threads(int ranks, const std::function<void(int, shared_collectives&)>& body) {
  const job_file file = job_file::create(ranks, 0);
  const shared_transport unused(job_file::create(1, 0), 0, {});  // whose calls a message would name
  std::vector<std::thread> threads;
  for (int rank = 0; rank != ranks; ++rank)
    threads.emplace_back([&, rank] {
      const job_file mine = job_file::adopt(::dup(file.descriptor()));
      shared_ends ends(mine, rank, unused);
      shared_collectives with(mine, rank, ends);
      body(rank, with);
    });
  for (std::thread& t : threads) t.join();
}

TEST(SharedCollectives, NobodyLeavesABarrierBeforeAllHaveCome) {
  std::atomic<int> come{0};
  on_threads(4, [&](int, shared_collectives& with) {
    for (int round = 1; round != 100; ++round) {
      come.fetch_add(1, std::memory_order_relaxed);
      with.barrier();
      EXPECT_EQ(come.load(std::memory_order_relaxed), 4 * round);
      with.barrier();
    }
  });
}

TEST(SharedCollectives, HandAroundMoreThanAPlaceHolds) {
  on_threads(3, [](int rank, shared_collectives& with) {
    const auto value = [](int of, std::size_t i) {
      return static_cast<std::byte>(static_cast<std::size_t>(of) * 31 + i * 7 + i / 256);
    };
    constexpr std::size_t size = staging_bytes * 5 / 2;
    std::vector<std::byte> data(size);
    for (int root = 0; root != 3; ++root) {
      for (std::size_t i = 0; i != size; ++i) data[i] = rank == root ? value(root, i) : std::byte{};
      with.broadcast(root, data);
      std::size_t right = 0;
      for (std::size_t i = 0; i != size; ++i) right += data[i] == value(root, i) ? 1 : 0;
      EXPECT_EQ(right, size);
    }
    for (std::size_t i = 0; i != size; ++i) data[i] = value(rank, i);
    std::vector<std::byte> all(3 * size);
    with.all_gather(data, all);
    std::size_t right = 0;
    for (std::size_t i = 0; i != all.size(); ++i)
      right += all[i] == value(static_cast<int>(i / size), i % size) ? 1 : 0;
    EXPECT_EQ(right, all.size());
  });
}

}  // namespace
}  // namespace kasuri::cluster
