// SPDX-License-Identifier: Apache-2.0
// When the cache is full: what counts as being in the way, and what does not.

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "cluster/memory/memory.hpp"
#include "kasuri/global/error.hpp"
#include "loopback.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;

constexpr std::uint64_t block_bytes = 4096;
constexpr std::uint64_t room = 14;  // blocks: an eighth of the cache is kept free

memory_options small_cache() {
  memory_options o;
  o.range_bytes = std::size_t{8} << 20;
  o.heap_bytes = std::size_t{64} << 10;
  o.cache_bytes = 16 * block_bytes;
  o.block_bytes = block_bytes;
  o.same_address = false;
  return o;
}

/// A network on which, once armed, the next flush lasts until somebody who waits lets it work.
class slow_network final : public loopback {
 public:
  using loopback::loopback;

  std::atomic<bool> armed{false};
  std::atomic<bool> flushing{false};
  std::atomic<bool> go_on{false};

  void flush(int target) override {
    if (armed.exchange(false, std::memory_order_relaxed)) {
      flushing.store(true, std::memory_order_relaxed);
      while (!go_on.load(std::memory_order_relaxed)) std::this_thread::yield();
    }
    loopback::flush(target);
  }
  void progress() override { go_on.store(true, std::memory_order_relaxed); }
};

/// test(memory, network, array) at rank 0 of two; the second half of the array, of `room` blocks
/// and more, is at home at rank 1.
template <class Network = slow_network>
void with_memory(const std::function<void(memory&, Network&, std::uint64_t)>& test) {
  loopback_host host(2);
  const auto rank_main = [&](int rank) {
    Network network(host, rank);
    memory m(network, small_cache());
    const std::uint64_t array = m.arrays().add_blocked(4 * room * block_bytes);
    network.barrier();
    if (rank == 0) test(m, network, array + 2 * room * block_bytes);
    network.barrier();
  };
  std::thread other(rank_main, 1);
  rank_main(0);
  other.join();
}

void use(memory& m, std::uint64_t offset, std::uint64_t bytes, access mode) {
  m.checkout(offset, bytes, mode).kept->drop();
}

TEST(Eviction, BlocksThatAReleaseHasLockedAreWaitedFor) {
  with_memory<slow_network>([](memory& m, slow_network& network, std::uint64_t array) {
    for (std::uint64_t i = 0; i != room; ++i) use(m, array + i * block_bytes, 8, access::write);
    network.armed.store(true, std::memory_order_relaxed);
    std::thread releases([&] { (void)m.release(); });
    while (!network.flushing.load(std::memory_order_relaxed)) std::this_thread::yield();
    // All blocks are locked until this thread waits.
    EXPECT_NO_THROW(use(m, array + room * block_bytes, 8, access::read));
    network.go_on.store(true, std::memory_order_relaxed);
    releases.join();
    EXPECT_LE(m.resident_bytes(), room * block_bytes);
  });
}

TEST(Eviction, BlocksThatAreCheckedOutStay) {
  with_memory<slow_network>([](memory& m, slow_network&, std::uint64_t array) {
    const held all = m.checkout(array, room * block_bytes, access::read);
    EXPECT_THROW(use(m, array + room * block_bytes, 8, access::read), global::error);
    EXPECT_EQ(m.resident_bytes(), room * block_bytes);
    all.kept->drop();
    use(m, array + room * block_bytes, 8, access::read);
    EXPECT_LE(m.resident_bytes(), room * block_bytes);
  });
}

/// Each look at the network while somebody waits takes a second.
class slow_clock final : public loopback {
 public:
  using loopback::loopback;
  std::atomic<std::uint64_t> seconds{0};

  void progress() override { seconds.fetch_add(1, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t now_ns() const noexcept override {
    return seconds.load(std::memory_order_relaxed) * 1'000'000'000;
  }
};

TEST(Eviction, WhoHoldsMostOfItForLongIsWaitedFor) {
  with_memory<slow_clock>([](memory& m, slow_clock& network, std::uint64_t array) {
    std::atomic<bool> held_now{false};
    std::thread holder([&] {
      const held most = m.checkout(array, (room - 2) * block_bytes, access::read);
      held_now.store(true, std::memory_order_release);  // pairs with: the loop below
      while (network.seconds.load(std::memory_order_relaxed) < 5) std::this_thread::yield();
      most.kept->drop();
    });
    while (!held_now.load(std::memory_order_acquire))
      std::this_thread::yield();  // pairs with: the holder
    EXPECT_NO_THROW(use(m, array + room * block_bytes, 8 * block_bytes, access::read));
    EXPECT_GE(network.seconds.load(std::memory_order_relaxed), 5u);
    holder.join();
    EXPECT_LE(m.resident_bytes(), room * block_bytes);
  });
}

TEST(Eviction, OfTwoThatWaitForEachOtherOneGoesOn) {
  with_memory<slow_clock>([](memory& m, slow_clock&, std::uint64_t array) {
    for (int round = 0; round != 20; ++round) {
      std::barrier<> both(2);
      std::atomic<int> refused{0}, served{0};
      const auto hold_and_want = [&](std::uint64_t at) {
        const held half =
            m.checkout(array + at * block_bytes, room / 2 * block_bytes, access::read);
        both.arrive_and_wait();
        try {
          use(m, array + (at + room) * block_bytes, 4 * block_bytes, access::read);
          served.fetch_add(1, std::memory_order_relaxed);
        } catch (const global::error& e) {
          EXPECT_NE(std::string(e.what()).find("wait for room themselves"), std::string::npos)
              << e.what();
          refused.fetch_add(1, std::memory_order_relaxed);
        }
        half.kept->drop();
      };
      std::thread other(hold_and_want, room / 2);
      hold_and_want(0);
      other.join();
      EXPECT_EQ(refused.load(std::memory_order_relaxed), 1);
      EXPECT_EQ(served.load(std::memory_order_relaxed), 1);
    }
  });
}

TEST(Eviction, MoreThanTheCacheIsRefusedAtOnceAndSaysSo) {
  with_memory<slow_network>([](memory& m, slow_network&, std::uint64_t array) {
    try {
      use(m, array, (room + 1) * block_bytes, access::read);
      FAIL() << "nothing was thrown";
    } catch (const global::error& e) {
      for (const char* part : {"more than the cache holds", "KASURI_CACHE_SIZE=65536",
                               "elements of 1 bytes) on rank 0"})
        EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
  });
}

TEST(Eviction, ABlockOfSeveralRequestsIsCountedOnce) {
  with_memory<slow_network>([](memory& m, slow_network&, std::uint64_t array) {
    // Together they need all of the room; counted for each request it would be three times that.
    const std::vector<checkout_request> requests{
        {array, room * block_bytes, access::read},
        {array + 100, (room - 1) * block_bytes, access::read},
        {array, room * block_bytes, access::read}};
    std::vector<held> got(requests.size());
    ASSERT_NO_THROW(m.checkout_all(requests, got));
    EXPECT_EQ(m.resident_bytes(), room * block_bytes);
    for (const held& h : got) h.kept->drop();
  });
}

}  // namespace
}  // namespace kasuri::test
