// SPDX-License-Identifier: Apache-2.0
// When the cache is full: what counts as being in the way, and what does not.

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
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

memory_options small() {
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

/// test(memory, network, array) at rank 0 of two; the second half of the array, of `room` blocks and
/// more, is at home at rank 1.
void with_memory(const std::function<void(memory&, slow_network&, std::uint64_t)>& test) {
  loopback_host host(2);
  const auto rank_main = [&](int rank) {
    slow_network network(host, rank);
    memory m(network, small());
    const std::uint64_t array = m.allocate_blocked(4 * room * block_bytes);
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
  with_memory([](memory& m, slow_network& network, std::uint64_t array) {
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
  with_memory([](memory& m, slow_network&, std::uint64_t array) {
    const held all = m.checkout(array, room * block_bytes, access::read);
    EXPECT_THROW(use(m, array + room * block_bytes, 8, access::read), global::error);
    EXPECT_EQ(m.resident_bytes(), room * block_bytes);
    all.kept->drop();
    use(m, array + room * block_bytes, 8, access::read);
    EXPECT_LE(m.resident_bytes(), room * block_bytes);
  });
}

TEST(Eviction, ABlockOfSeveralRequestsIsCountedOnce) {
  with_memory([](memory& m, slow_network&, std::uint64_t array) {
    // Together they need all of the room; counted for each request it would be three times that.
    const std::vector<checkout_request> requests{{array, room * block_bytes, access::read},
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
