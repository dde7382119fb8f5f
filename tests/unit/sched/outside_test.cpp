// SPDX-License-Identifier: Apache-2.0
// Work from outside (sched/outside/outside.hpp) that comes and goes while workers look and wake
// each other: nobody uses what has been taken away.

#include "sched/outside/outside.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <kasuri/kasuri.hpp>
#include <memory>
#include <mutex>
#include <thread>

#include "sched/pool/pool.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

/// Counts the calls of one visit, and those after its end. The record outlives the object.
struct visit {
  std::atomic<bool> over{false};
  std::atomic<long> looks{0};
  std::atomic<long> late{0};

  void called() noexcept {
    if (over.load(std::memory_order_relaxed)) late.fetch_add(1, std::memory_order_relaxed);
  }
};

class visitor final : public sched::outside {
 public:
  explicit visitor(visit& v) : visit_(v) {}

  bool active() const noexcept override {
    visit_.called();
    return true;
  }
  detail::frame* look() noexcept override {
    visit_.called();
    visit_.looks.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  bool glance() noexcept override {
    visit_.called();
    return false;
  }
  void leave() noexcept override { visit_.called(); }
  std::uint64_t rest() noexcept override {
    visit_.called();
    return 200'000;
  }
  void nap(std::uint64_t ns) noexcept override {
    visit_.called();
    std::unique_lock hold(lock_);
    called_.wait_for(hold, std::chrono::nanoseconds(ns), [this] { return interrupted_; });
    interrupted_ = false;
    visit_.called();
  }
  void interrupt() noexcept override {
    visit_.called();
    const std::lock_guard hold(lock_);
    interrupted_ = true;
    called_.notify_all();
  }

 private:
  visit& visit_;
  std::mutex lock_;
  std::condition_variable called_;
  bool interrupted_ = false;
};

class outside_of : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { initialize({.workers = GetParam()}); }
  void TearDown() override { finalize(); }
};

TEST_P(outside_of, is_not_used_after_its_end) {
  sched::pool& p = sched::pool::get();
  for (int round = 0; round != scaled(100); ++round) {
    visit v;
    auto o = std::make_unique<visitor>(v);
    p.outside_work().open(*o);
    // Work that wakes workers, until one of them has had nothing to do and looked outside.
    for (int n = 0; n < 4 || (round == 0 && v.looks.load() == 0); ++n)
      run([] { parallel_for(0, 8, [](int) { std::this_thread::yield(); }); });
    p.outside_work().end();
    v.over.store(true);
    o.reset();
    run([] { parallel_for(0, 8, [](int) { std::this_thread::yield(); }); });
    ASSERT_EQ(v.late.load(), 0);
    if (round == 0) {
      EXPECT_GT(v.looks.load(), 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(workers, outside_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri::test
