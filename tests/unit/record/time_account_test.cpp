// SPDX-License-Identifier: Apache-2.0
#include "record/time_account.hpp"

#include "platform/base/clock.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace kasuri::record {
namespace {

TEST(TimeAccount, SharesAreTheIntervalsBetweenTheSwitches) {
  time_account account;
  const auto begin = account.switch_to(time_state::overhead);
  const auto work = account.switch_to(time_state::work);
  const auto blocked = account.switch_to(time_state::blocked);
  const auto again = account.switch_to(time_state::work);
  const auto end = account.switch_to(time_state::detached);
  const time_split split = account.read();
  // Had the kernel taken the core away for long, that is told apart.
  EXPECT_LE(split.overhead, work - begin);
  EXPECT_LE(split.work, (blocked - work) + (end - again));
  EXPECT_EQ(split.overhead + split.work + split.off_core,
            (work - begin) + (blocked - work) + (end - again));
  EXPECT_EQ(split.blocked, again - blocked);
  EXPECT_EQ(split.idle_ready + split.idle_empty, 0u);
  EXPECT_EQ(split.total(), end - begin);
}

TEST(TimeAccount, IdleTimeGoesWhereTheLookThatEndsItSays) {
  time_account account;
  const auto begin = account.switch_to(time_state::idle);
  account.looked(false);
  const time_split none = account.read();
  EXPECT_EQ(none.idle_ready, 0u);
  account.looked(true);
  account.looked(false);
  const time_split some = account.read();
  EXPECT_GT(some.idle_ready, 0u);
  EXPECT_GT(some.idle_empty, 0u);
  const auto end = account.switch_to(time_state::detached);
  EXPECT_EQ(account.read().total(), end - begin);
}

TEST(TimeAccount, LeavingIdleForATaskWasReadyTime) {
  time_account account;
  const auto begin = account.switch_to(time_state::idle);
  const auto found = account.switch_to(time_state::overhead);
  account.switch_to(time_state::detached);
  EXPECT_EQ(account.read().idle_ready, found - begin);
  EXPECT_EQ(account.read().idle_empty, 0u);
}

TEST(TimeAccount, LeavingIdleForGoodWasEmptyTime) {
  time_account account;
  const auto begin = account.switch_to(time_state::idle);
  const auto end = account.switch_to(time_state::detached);
  EXPECT_EQ(account.read().idle_empty, end - begin);
  EXPECT_EQ(account.read().idle_ready, 0u);
}

TEST(TimeAccount, DetachedTimeIsNotCounted) {
  time_account account;
  EXPECT_EQ(account.read().total(), 0u);
  account.switch_to(time_state::work);
  account.switch_to(time_state::detached);
  const auto total = account.read().total();
  account.switch_to(time_state::detached);
  EXPECT_EQ(account.read().total(), total);
}

TEST(TimeAccount, WhatASleeperDidNotRunIsNoWork) {
  time_account account;
  const auto begin = account.switch_to(time_state::work);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto end = account.switch_to(time_state::detached);
  const time_split split = account.read();
  EXPECT_GT(split.off_core, 0u);
  EXPECT_LT(split.work, end - begin);
  EXPECT_LT(split.processor, end - begin);
  EXPECT_EQ(split.total(), end - begin);
}

TEST(TimeAccount, SleepThatTheRuntimeKnowsOfStaysWhatItIs) {
  time_account account;
  account.switch_to(time_state::blocked);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto idle = account.switch_to(time_state::idle);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto end = account.switch_to(time_state::detached);
  const time_split split = account.read();
  EXPECT_EQ(split.off_core, 0u);
  EXPECT_EQ(split.idle_empty, end - idle);
}

TEST(TimeAccount, WaitingIsNoWork) {
  time_account account;
  account.switch_to(time_state::waiting);
  account.switch_to(time_state::work);  // a look for tasks, which finds none
  account.waited_on();
  EXPECT_EQ(account.state(), time_state::waiting);
  account.switch_to(time_state::detached);
  EXPECT_EQ(account.read().work, 0u);
  EXPECT_GT(account.read().waiting, 0u);
}

TEST(TimeAccount, ProcessorTimeOfAThreadThatRunsIsReadByAnother) {
  time_account account;
  std::atomic<bool> attached{false}, seen{false};
  std::thread worker([&] {
    account.switch_to(time_state::work);
    attached.store(true, std::memory_order_relaxed);
    while (!seen.load(std::memory_order_relaxed)) {
    }
    account.switch_to(time_state::detached);
  });
  while (!attached.load(std::memory_order_relaxed) || account.read().processor == 0) {
  }
  const auto first = account.read().processor;
  seen.store(true, std::memory_order_relaxed);
  worker.join();
  EXPECT_GT(account.read().processor, 0u);
  EXPECT_GT(first, 0u);
}

TEST(TimeAccount, TheRunningIntervalCounts) {
  time_account account;
  account.switch_to(time_state::work);
  const auto first = account.read().work;
  const auto begin = platform::ticks();
  while (platform::ticks() == begin) {
  }
  EXPECT_GT(account.read().work, first);
}

// A reader never counts an interval twice or not at all: the total follows the clock.
TEST(TimeAccount, ReaderBesideTheWriterSeesTheWholeTime) {
  time_account account;
  const auto begin = account.switch_to(time_state::work);
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (int i = 0; i < 20'000; ++i) {
      account.switch_to(time_state::idle);
      account.looked(i % 3 == 0);
      account.switch_to(time_state::overhead);
      account.switch_to(time_state::work);
      if (i % 64 == 0) std::this_thread::yield();
    }
    done.store(true, std::memory_order_release);  // pairs with the acquire below
  });
  bool right = true;
  std::uint64_t last = 0;
  // Clocks of two processors may differ by a little.
  constexpr std::uint64_t slack = 100'000;
  while (!done.load(std::memory_order_acquire)) {  // pairs with the release above
    const auto before = platform::ticks() - begin;
    const auto total = account.read().total();
    const auto after = platform::ticks() - begin;
    right = right && total + slack >= before && total <= after + slack && total + slack >= last;
    last = total;
  }
  writer.join();
  EXPECT_TRUE(right);
}

}  // namespace
}  // namespace kasuri::record
