// SPDX-License-Identifier: Apache-2.0
#include <kasuri/channel.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using channel_of = test::pool_of;

TEST_P(channel_of, is_first_in_first_out) {
  channel<int> c(3);
  EXPECT_EQ(c.capacity(), 3U);
  EXPECT_TRUE(c.send(1));
  EXPECT_TRUE(c.send(2));
  EXPECT_TRUE(c.try_send(3));
  EXPECT_FALSE(c.try_send(4));
  EXPECT_EQ(c.size(), 3U);
  EXPECT_EQ(c.receive(), 1);
  EXPECT_EQ(c.try_receive(), 2);
  EXPECT_EQ(c.receive(), 3);
  EXPECT_EQ(c.try_receive(), std::nullopt);
  EXPECT_TRUE(c.is_idle());
}

TEST_P(channel_of, closes_once_and_for_all) {
  channel<std::string> c(unbounded);
  EXPECT_FALSE(c.is_closed());
  for (int i = 0; i != 100; ++i) EXPECT_TRUE(c.send(std::to_string(i)));
  c.close();
  c.close();
  EXPECT_TRUE(c.is_closed());
  std::string kept = "kept";
  EXPECT_FALSE(c.send(std::move(kept)));
  EXPECT_EQ(kept, "kept");
  EXPECT_FALSE(c.try_send(kept));
  for (int i = 0; i != 100; ++i) EXPECT_EQ(c.receive(), std::to_string(i));
  EXPECT_EQ(c.receive(), std::nullopt);
  EXPECT_EQ(c.try_receive(), std::nullopt);
}

/// Senders, receivers and the capacity, at each number of workers.
struct crowd {
  int senders;
  int receivers;
  std::size_t capacity;
};

void all_arrive_once(const crowd& who, int each) {
  channel<std::uint64_t> c(who.capacity);
  std::atomic<int> sending{who.senders};
  std::vector<std::vector<std::uint64_t>> got(static_cast<std::size_t>(who.receivers));
  run([&] {
    task_group group;
    for (int r = 0; r != who.receivers; ++r)
      group.run([&c, &mine = got[static_cast<std::size_t>(r)]] {
        for (const std::uint64_t m : c) mine.push_back(m);
      });
    for (int s = 0; s != who.senders; ++s)
      group.run([&, s] {
        for (int i = 0; i != each; ++i)
          EXPECT_TRUE(c.send(static_cast<std::uint64_t>(s) << 32 | static_cast<unsigned>(i)));
        if (--sending == 0) c.close();
      });
    group.wait();
  });
  EXPECT_TRUE(c.is_idle());
  std::vector<std::uint64_t> all;
  for (const auto& mine : got) {
    // What one receiver got of one sender is in the order of that sender.
    std::vector<std::int64_t> last(static_cast<std::size_t>(who.senders), -1);
    for (const std::uint64_t m : mine) {
      std::int64_t& before = last[m >> 32];
      EXPECT_LT(before, static_cast<std::int64_t>(m & 0xffffffff));
      before = static_cast<std::int64_t>(m & 0xffffffff);
    }
    all.insert(all.end(), mine.begin(), mine.end());
  }
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), static_cast<std::size_t>(who.senders) * static_cast<unsigned>(each));
  for (std::size_t k = 0; k != all.size(); ++k) {
    const std::uint64_t sender = k / static_cast<unsigned>(each);
    EXPECT_EQ(all[k], sender << 32 | k % static_cast<unsigned>(each));
  }
}

TEST_P(channel_of, brings_each_message_once) {
  for (const std::size_t capacity : {std::size_t{0}, std::size_t{1}, std::size_t{7}, unbounded}) {
    all_arrive_once({1, 1, capacity}, test::scaled(5000));
    all_arrive_once({5, 3, capacity}, test::scaled(1000));
    all_arrive_once({2, 9, capacity}, test::scaled(1000));
    all_arrive_once({100, 100, capacity}, test::scaled(100));
  }
}

TEST_P(channel_of, serves_tasks_and_os_threads) {
  channel<int> c(2);
  const int each = test::scaled(1000);
  std::atomic<long> sum{0};
  std::atomic<int> sending{3};
  tasks_and_threads(4, 2, [&](int i) {
    if (i % 2 == 0) {  // two tasks, a thread
      for (int k = 0; k != each; ++k) EXPECT_TRUE(c.send(k));
      if (--sending == 0) c.close();
    } else {
      while (const std::optional<int> m = c.receive()) sum += *m;
    }
  });
  EXPECT_EQ(sum, 3L * each * (each - 1) / 2);
}

TEST_P(channel_of, of_no_capacity_meets) {
  channel<int> c(0);
  EXPECT_FALSE(c.try_send(1));
  std::atomic<int> received{0};
  const int count = test::scaled(1000);
  tasks(2, [&](int i) {
    for (int k = 0; k != count; ++k) {
      if (i == 0) {
        EXPECT_TRUE(c.send(k));
        EXPECT_GE(received, k);  // the receiver of this one may not have said so yet
      } else {
        EXPECT_EQ(c.receive(), k);
        received = k + 1;
      }
    }
  });
  EXPECT_EQ(received, count);
  EXPECT_EQ(c.size(), 0U);
}

TEST_P(channel_of, close_lets_all_go_that_wait) {
  for (int k = 0; k != test::scaled(200); ++k) {
    channel<int> empty(1);
    channel<std::unique_ptr<int>> full(1);
    EXPECT_TRUE(full.send(std::make_unique<int>(0)));
    std::atomic<int> let_go{0};
    tasks(9, [&](int i) {
      if (i == 8) {
        empty.close();
        full.close();
      } else if (i % 2 == 0) {
        let_go += empty.receive() == std::nullopt;
      } else {
        auto mine = std::make_unique<int>(i);
        let_go += !full.send(std::move(mine));
        EXPECT_TRUE(mine != nullptr && *mine == i);  // NOLINT(bugprone-use-after-move)
      }
    });
    EXPECT_EQ(let_go, 8);
    EXPECT_EQ(**full.receive(), 0);
    EXPECT_FALSE(full.receive().has_value());
  }
}

TEST_P(channel_of, may_be_destroyed_by_the_one_it_lets_go) {
  for (int k = 0; k != test::scaled(500); ++k) {
    auto c = std::make_unique<channel<int>>(0);
    run([&] {
      parallel_invoke([&] { static_cast<void>(c->send(k)); },
                      [&] {
                        EXPECT_EQ(c->receive(), k);
                        // The sender has been let go, and does not touch the channel any more.
                        c.reset();
                      });
    });
  }
}

TEST_P(channel_of, destroys_what_nobody_received) {
  const auto counted = std::make_shared<int>(0);
  {
    channel<std::shared_ptr<int>> c(unbounded);
    for (int i = 0; i != 50; ++i) EXPECT_TRUE(c.send(counted));
    EXPECT_EQ(*c.receive(), counted);
    EXPECT_EQ(counted.use_count(), 50);
  }
  EXPECT_EQ(counted.use_count(), 1);
}

struct brittle {
  explicit brittle(int n) : number(n) {}
  brittle(const brittle& o) : number(o.number) { may_throw(); }
  brittle(brittle&& o) : number(o.number) { may_throw(); }  // NOLINT
  brittle& operator=(const brittle&) = default;
  brittle& operator=(brittle&&) = default;
  void may_throw() const {
    if (number % 10 == fails_at) throw std::runtime_error("no move");
  }
  int number;
  static inline int fails_at = -1;
};

TEST_P(channel_of, messages_may_throw) {
  channel<brittle> c(unbounded);
  brittle::fails_at = 3;
  const brittle three(3);
  EXPECT_THROW(static_cast<void>(c.send(three)), std::runtime_error);
  EXPECT_THROW(static_cast<void>(c.send(brittle(13))), std::runtime_error);
  EXPECT_EQ(c.size(), 0U);
  brittle::fails_at = -1;
  EXPECT_TRUE(c.send(three));
  EXPECT_TRUE(c.send(brittle(4)));
  brittle::fails_at = 3;
  EXPECT_THROW(static_cast<void>(c.receive()), std::runtime_error);  // it is lost
  EXPECT_EQ(c.receive()->number, 4);
  brittle::fails_at = -1;
}

struct alignas(256) far_aligned {
  std::array<char, 300> bytes{};
};
struct alignas(64) aligned {
  int n = 0;
};

template <class T>
bool is_aligned(const T& what) {
  return reinterpret_cast<std::uintptr_t>(&what) % alignof(T) == 0;
}

TEST_P(channel_of, keeps_alignment) {
  channel<far_aligned> far(2);
  channel<aligned> near(2);
  EXPECT_TRUE(far.send(far_aligned()));
  EXPECT_TRUE(near.send(aligned{5}));
  const auto a = far.receive();
  const auto b = near.receive();
  EXPECT_TRUE(is_aligned(*a) && is_aligned(*b));
  EXPECT_EQ(b->n, 5);
}

TEST_P(channel_of, is_a_range_of_one_pass) {
  channel<int> c(unbounded);
  static_assert(std::ranges::input_range<channel<int>>);
  for (int i = 1; i <= 5; ++i) EXPECT_TRUE(c.send(i));
  c.close();
  int product = 1;
  for (int& m : c) product *= m;
  EXPECT_EQ(product, 120);
  EXPECT_TRUE(c.begin() == c.end());
}

// A message's own code runs outside of the lock, and may use the channel.
struct sends_when_destroyed {
  channel<sends_when_destroyed>* to = nullptr;
  static inline bool sent = false;
  explicit sends_when_destroyed(channel<sends_when_destroyed>* c) : to(c) {}
  sends_when_destroyed(sends_when_destroyed&& o) noexcept : to(std::exchange(o.to, nullptr)) {}
  sends_when_destroyed& operator=(sends_when_destroyed&&) = delete;
  ~sends_when_destroyed() {
    if (to != nullptr) sent = to->try_send(sends_when_destroyed(nullptr));
  }
};

TEST_P(channel_of, messages_may_use_it) {
  channel<sends_when_destroyed> c(4);
  EXPECT_TRUE(c.send(sends_when_destroyed(&c)));
  {
    EXPECT_TRUE(c.receive().has_value());
  }
  EXPECT_EQ(c.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(workers, channel_of, testing::Values(1, 2, 4, 16));

}  // namespace
}  // namespace kasuri
