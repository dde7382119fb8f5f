// SPDX-License-Identifier: Apache-2.0
// Workers that wait for a token when the pool ends. To end at all is to pass.
#include "sched/pool/waker.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <kasuri/kasuri.hpp>
#include <thread>

#include "sched/pool/pool.hpp"

namespace kasuri::sched {
namespace {

std::atomic<int> spinning{0};
std::atomic<bool> may_end{false};
std::atomic<int> ran{0};

detail::suspended* spin(detail::frame*) {
  ++spinning;
  while (!may_end.load()) std::this_thread::yield();
  return nullptr;
}
detail::suspended* count(detail::frame*) {
  ++ran;
  return nullptr;
}
constexpr detail::frame_type spins{spin, false, "spin"};
constexpr detail::frame_type counts{count, false, "count"};

class tokens_all_in_use : public testing::Test {
 protected:
  void send(const detail::frame_type& type) {
    detail::frame& f = frames_.at(used_++);
    f.type = &type;
    pool::get().send(&f);
  }
  /// Both workers run a task that does not end.
  void occupy_workers() {
    may_end = false;
    spinning = 0;
    send(spins);
    send(spins);
    while (spinning != 2) std::this_thread::yield();
  }

  std::array<detail::frame, 8> frames_;
  std::size_t used_ = 0;
};

TEST_F(tokens_all_in_use, who_waits_for_one_does_not_wait_into_the_next_life) {
  initialize({.workers = 2});
  pool& p = pool::get();
  occupy_workers();
  // A spare comes, since one of them is said to be blocked; its token is taken back.
  p.lend_token(*p.at(0));
  send(counts);
  while (ran != 1) std::this_thread::yield();
  worker* spare = nullptr;
  for (int i = 2; i != p.workers(); ++i)
    if (p.at(i)->stats.role == record::worker_role::spare) spare = p.at(i);
  ASSERT_NE(spare, nullptr);
  while (spare->asleep.load() != flag::dozing) std::this_thread::yield();
  p.take_token_back();
  detail::frame& only_there = frames_.at(used_++);
  only_there.type = &counts;
  ASSERT_TRUE(p.deliver(*spare, &only_there));
  std::thread ends([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    may_end = true;
  });
  finalize();
  ends.join();
  EXPECT_EQ(ran, 2);

  initialize({.workers = 2});
  occupy_workers();
  std::atomic<bool> inside{false};
  std::thread guest([&inside] {
    parallel_invoke([] {}, [] {});
    inside = true;
  });
  while (pool::get().counts().waiting == 0 && !inside) std::this_thread::yield();
  may_end = true;
  guest.join();
  EXPECT_TRUE(inside);
  finalize();
}

}  // namespace
}  // namespace kasuri::sched
