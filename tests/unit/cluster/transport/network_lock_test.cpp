// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/network_lock.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>
#include <vector>

#include "cluster/memory/loopback.hpp"

namespace kasuri::cluster {
namespace {

/// Counts the calls that let the network work.
class counting final : public kasuri::test::loopback {
 public:
  using loopback::loopback;
  std::atomic<int> calls{0};
  void progress() override { calls.fetch_add(1, std::memory_order_relaxed); }
};

TEST(NetworkLock, OneThreadAtATimeHasIt) {
  kasuri::test::loopback_host host(1);
  counting network(host, 0);
  network_lock lock(network);
  int plain = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i != 2000; ++i) {
        const std::scoped_lock hold(lock);
        ++plain;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(plain, 8000);
  EXPECT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
}

TEST(NetworkLock, AThreadThatWaitsLetsTheNetworkWork) {
  kasuri::test::loopback_host host(1);
  counting network(host, 0);
  network_lock lock(network);
  lock.lock();
  std::thread other([&] {
    lock.lock();
    lock.unlock();
  });
  while (network.calls.load(std::memory_order_relaxed) == 0) std::this_thread::yield();
  lock.unlock();
  other.join();
}

}  // namespace
}  // namespace kasuri::cluster
