// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/waiting_room.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "cache_parts.hpp"
#include "kasuri/global/error.hpp"

namespace kasuri::cluster {
namespace {

using test::block_size;
using test::cache_parts;
using test::few_blocks;
using test::on_caches;

/// Another task checks in when the caller steps back, or stands on the caller's stack.
class other_task final : public task_host {
 public:
  std::function<void()> runs = [] {};
  stack_range mine;
  void let_others_run() override { runs(); }
  [[nodiscard]] stack_range stack_of_caller() const override { return mine; }
};

std::string refusal(cache_parts& c, std::uint64_t bytes, const checkout_request& r) {
  try {
    c.waits.take(bytes, r);
    return "";
  } catch (const global::error& e) {
    return e.what();
  }
}

TEST(WaitingRoom, RefusesWhatNeverFits) {
  on_caches(2, few_blocks(4), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank != 0) return;
    const checkout_request r{array, 5 * block_size, access::read};
    EXPECT_NE(refusal(c, 5 * block_size, r).find("more than the cache holds"), std::string::npos);
    EXPECT_EQ(refusal(c, 4 * block_size, r), "");
    c.lists.used.give_back(4 * block_size);
  });
}

TEST(WaitingRoom, EvictsWhatNobodyHolds) {
  on_caches(2, few_blocks(4), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank != 0) return;
    for (std::uint64_t b = 0; b != 4; ++b) c.bring({array + b * block_size, 8, access::read});
    EXPECT_EQ(refusal(c, 2 * block_size, {array, 8, access::read}), "");
    c.lists.used.give_back(2 * block_size);
  });
}

TEST(WaitingRoom, WaitsForATaskThatDoesSomethingElse) {
  on_caches(2, few_blocks(4), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank != 0) return;
    pin& held = c.check_out({array, 4 * block_size, access::read});
    int steps = 0;
    other_task host;
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    host.mine = {here - (1U << 17), here + (1U << 17)};
    held.frame.store(64);  // on another stack
    host.runs = [&] {
      if (++steps == 3) held.drop();
    };
    c.users.wait_by(&host);
    EXPECT_EQ(refusal(c, block_size, {array + 8 * block_size, 8, access::read}), "");
    EXPECT_EQ(steps, 3);
    c.lists.used.give_back(block_size);
    c.users.wait_by(nullptr);
  });
}

TEST(WaitingRoom, GivesUpWhereOnlyTheCallerHoldsTheCache) {
  on_caches(2, few_blocks(4), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank != 0) return;
    pin& held = c.check_out({array, 4 * block_size, access::read});
    const std::string why = refusal(c, block_size, {array + 8 * block_size, 8, access::read});
    EXPECT_NE(why.find("the cache is exhausted"), std::string::npos) << why;
    held.drop();
    EXPECT_EQ(refusal(c, block_size, {array + 8 * block_size, 8, access::read}), "");
    c.lists.used.give_back(block_size);
  });
}

}  // namespace
}  // namespace kasuri::cluster
