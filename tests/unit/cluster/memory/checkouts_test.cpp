// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/checkouts/checkouts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "cache_parts.hpp"
#include "kasuri/global/error.hpp"

namespace kasuri::cluster {
namespace {

using test::block_size;
using test::cache_parts;
using test::few_blocks;
using test::on_caches;

/// The tasks of the process, of which one calls: `on` says on which stack.
struct known_stacks final : task_host {
  stack_range on;
  [[nodiscard]] stack_range stack_of_caller() const override { return on; }
};

/// A stack that the calling function does not stand on.
constexpr stack_range elsewhere{1, 2};

constexpr std::uintptr_t stack_bytes = 1 << 18;

std::uintptr_t here() { return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); }

/// body(parts, array) at one of two ranks.
template <class Body>
void on_one(Body body) {
  on_caches(2, few_blocks(16), [&body](cache_parts& c, std::uint64_t array, int rank) {
    if (rank == 0) body(c, array);
  });
}

TEST(Checkouts, EachHasAPinUntilItIsDropped) {
  on_one([](cache_parts& c, std::uint64_t array) {
    EXPECT_TRUE(c.users.none());
    const std::size_t many = 3 * thread_pins::count + 1;  // more than a thread has at first
    std::vector<pin*> pins;
    for (std::uint64_t i = 0; i != many; ++i)
      pins.push_back(&c.users.claim({array + 8 * i, 8, i % 2 == 0 ? access::read : access::write}));
    std::vector<pinned_range> all = c.users.collect();
    std::ranges::sort(all, {}, &pinned_range::begin);
    ASSERT_EQ(all.size(), many);
    for (std::uint64_t i = 0; i != many; ++i) {
      EXPECT_EQ(all[i].begin, array + 8 * i);
      EXPECT_EQ(all[i].end, array + 8 * i + 8);
      EXPECT_EQ(all[i].writes, i % 2 == 1);
    }
    EXPECT_EQ(c.users.check(), nullptr);
    std::ranges::sort(pins);
    EXPECT_EQ(std::ranges::adjacent_find(pins), pins.end());
    for (pin* p : pins) p->drop();
    EXPECT_TRUE(c.users.none());
  });
}

TEST(Checkouts, APinThatWasDroppedIsUsedAgain) {
  on_one([](cache_parts& c, std::uint64_t array) {
    std::vector<pin*> first;
    for (std::uint64_t i = 0; i != thread_pins::count; ++i)
      first.push_back(&c.users.claim({array + i, 1, access::read}));
    first[3]->drop();
    EXPECT_EQ(&c.users.claim({array, block_size, access::write}), first[3]);
    EXPECT_EQ(first[3]->bytes(), block_size);
    EXPECT_TRUE(first[3]->writes());
    for (pin* p : first) p->drop();
  });
}

TEST(Checkouts, AThreadHasPinsOfItsOwnForEachMemory) {
  on_one([](cache_parts& c, std::uint64_t array) {
    checkouts other(test::fresh_id(), c.places);
    pin& mine = c.users.claim({array, 1, access::read});
    pin& others = other.claim({array + 1, 1, access::read});
    EXPECT_EQ(other.collect().size(), 1U);
    EXPECT_EQ(other.collect()[0].begin, array + 1);
    others.drop();
    // The thread goes back to the memory, and to its pins there.
    pin& second = c.users.claim({array + 2, 1, access::read});
    EXPECT_EQ(c.users.collect().size(), 2U);
    EXPECT_EQ(&second, &mine + 1);
    mine.drop();
    second.drop();
    EXPECT_TRUE(other.none() && c.users.none());
  });
}

TEST(Checkouts, HitsOfAllThreadsAreAddedUp) {
  on_one([](cache_parts& c, std::uint64_t) {
    c.users.count_hit();
    std::thread([&c] {
      c.users.count_hit();
      c.users.count_hit();
    }).join();
    EXPECT_EQ(c.users.hits(), 3U);
  });
}

TEST(Checkouts, BelongToTheTaskOnWhoseStackTheyBegan) {
  on_one([](cache_parts& c, std::uint64_t array) {
    known_stacks tasks;
    c.users.wait_by(&tasks);
    pin& p = c.users.claim({array, 8, access::read});
    tasks.on = {here() - stack_bytes, here() + stack_bytes};
    EXPECT_EQ(c.users.of_caller(), 1U);
    // As if a task on another stack had begun it on this thread.
    p.frame.store(here() - 2 * stack_bytes, std::memory_order_relaxed);
    EXPECT_EQ(c.users.of_caller(), 0U);
    p.drop();
    tasks.on = {};
    EXPECT_EQ(c.users.of_caller(), 0U);
    c.users.wait_by(nullptr);
  });
}

TEST(Checkouts, OnAStackThatNobodyKnowsAllAreTheCallers) {
  on_one([](cache_parts& c, std::uint64_t array) {
    known_stacks tasks;
    tasks.on = elsewhere;
    c.users.wait_by(&tasks);
    EXPECT_TRUE(c.users.stack_of_caller().has(0));
    pin& p = c.users.claim({array, 8, access::write});
    EXPECT_EQ(c.users.of_caller(), 1U);
    EXPECT_NO_THROW(c.users.expect_no_conflict({array, 8, access::write}));
    p.drop();
    c.users.wait_by(nullptr);
  });
}

/// What expect_no_conflict says of the request; empty: nothing.
std::string complaint(const checkouts& users, const checkout_request& r) {
  try {
    users.expect_no_conflict(r);
    return "";
  } catch (const global::error& e) {
    return e.what();
  }
}

TEST(Checkouts, OfTwoTasksConflictWhereTheyMeetAndOneWrites) {
  on_one([](cache_parts& c, std::uint64_t array) {
    std::thread([&] {
      // Each pin of another thread is another task's: that thread's stack is not this one's.
      pin& reads = c.users.claim({array, 100, access::read});
      pin& writes = c.users.claim({array + 200, 100, access::read_write});
      std::thread([&] {
        EXPECT_EQ(complaint(c.users, {array + 50, 100, access::read}), "");
        EXPECT_NE(complaint(c.users, {array + 50, 100, access::write})
                      .find("are checked out for reading by another task at the same time"),
                  std::string::npos);
        EXPECT_NE(complaint(c.users, {array + 299, 1, access::read})
                      .find("bytes " + std::to_string(array + 200) + " to " +
                            std::to_string(array + 300) + " are checked out for writing"),
                  std::string::npos);
        EXPECT_EQ(complaint(c.users, {array + 100, 100, access::write}), "");
        EXPECT_EQ(complaint(c.users, {array + 300, 1, access::write}), "");
      }).join();
      // The task itself may.
      EXPECT_EQ(complaint(c.users, {array + 50, 200, access::write}), "");
      reads.drop();
      writes.drop();
    }).join();
  });
}

TEST(CheckoutsDeathTest, OneThatIsHeldOverAForkIsNamed) {
  on_one([](cache_parts& c, std::uint64_t array) {
    pin& p = c.users.claim({array + 16, 48, access::write});
    EXPECT_EXIT(c.users.refuse_held(), testing::ExitedWithCode(2),
                "KASURI_CHECK=checkout: .*48.* is held over a fork or join, behind which the task "
                "may run elsewhere; accepted: check in before");
    p.drop();
  });
}

TEST(Checkouts, OneThatLastsInNoRegionIsFound) {
  on_one([](cache_parts& c, std::uint64_t array) {
    pin& p = c.users.claim({array + 63 * block_size, 2 * block_size, access::read});
    EXPECT_STREQ(c.users.check(), "a checkout lasts in no region");
    p.drop();
    EXPECT_EQ(c.users.check(), nullptr);
  });
}

}  // namespace
}  // namespace kasuri::cluster
