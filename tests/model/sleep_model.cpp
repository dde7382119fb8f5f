// SPDX-License-Identifier: Apache-2.0
// The protocol by which idle workers sleep and a push wakes one of them without a fence of its own:
// no interleaving may leave a task waiting while all workers sleep.
#include "explorer/explore.hpp"

#include <gtest/gtest.h>

namespace kasuri::model {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

enum class flaw {
  none,
  no_light_fence,
  no_heavy_fence,
  no_second_look,
  no_fence_after_reset,
  searchers_do_not_pass_on,
};

// The pusher: store top, light fence, load limit. Limit 0 sends it into the slow path: reset the
// limit, full fence, and if some worker sleeps and none is searching, wake one, counted as searching
// from then on. The sleeper: announce itself, set the limit to 0, heavy fence, look once more,
// sleep. The last searcher that finds a task wakes another worker: tasks pushed while it searched
// woke nobody.
class sleep_protocol {
 public:
  explicit sleep_protocol(flaw which) : flaw_(which) {}

  void push() {
    top_.store(top_.load(relaxed) + 1, release);
    if (flaw_ != flaw::no_light_fence) atomics::fence_light();
    if (limit_.load(relaxed) != 0) return;
    limit_.store(1, relaxed);
    if (flaw_ != flaw::no_fence_after_reset) atomics::fence_full();
    wake_one();
  }

  // A worker without a task: comes back with one.
  void find_task(int worker) {
    bool searching = false;
    while (!take()) {
      if (searching) searching_.fetch_sub(1, relaxed);
      searching = sleep(worker);
    }
    if (!searching || searching_.fetch_sub(1, relaxed) != 1) return;
    atomics::fence_full();
    if (flaw_ != flaw::searchers_do_not_pass_on && available()) wake_one();
  }

 private:
  bool available() const { return top_.load(acquire) > taken_.load(relaxed); }

  bool take() {
    int taken = taken_.load(relaxed);
    while (top_.load(acquire) > taken) {
      if (taken_.compare_exchange_weak(taken, taken + 1, relaxed)) return true;
    }
    return false;
  }

  // True when it was woken, and so is counted among the searching.
  bool sleep(int worker) {
    awake_[worker].store(0, relaxed);
    sleepers_.fetch_or(1 << worker, release);
    limit_.store(0, relaxed);
    if (flaw_ != flaw::no_heavy_fence) atomics::fence_heavy();
    if (flaw_ != flaw::no_second_look && available()) {
      const int before = sleepers_.fetch_and(~(1 << worker), relaxed);
      return (before & (1 << worker)) == 0;  // somebody has taken it off the list to wake it
    }
    while (awake_[worker].load(relaxed) == 0) atomics::futex_wait(awake_[worker], 0);
    return true;
  }

  void wake_one() {
    int sleepers = sleepers_.load(acquire);
    if (sleepers == 0 || searching_.load(relaxed) != 0) return;
    searching_.fetch_add(1, relaxed);
    while (sleepers != 0) {
      const int worker = (sleepers & 1) != 0 ? 0 : 1;
      if (!sleepers_.compare_exchange_weak(sleepers, sleepers & ~(1 << worker), acquire)) continue;
      awake_[worker].store(1, relaxed);
      atomics::futex_wake(awake_[worker], 1);
      return;
    }
    searching_.fetch_sub(1, relaxed);
  }

  flaw flaw_;
  atomic<int> top_{0};
  atomic<int> taken_{0};
  atomic<int> limit_{1};
  atomic<int> sleepers_{0};
  atomic<int> searching_{0};
  atomic<int> awake_[2]{{1}, {1}};
};

const std::vector<std::string> names{"top",      "taken",     "limit",   "sleepers",
                                     "searching", "awake[0]", "awake[1]"};

// One pusher of as many tasks as there are workers, each of which runs one. A task that nobody runs
// leaves a worker asleep for ever: a deadlock.
template <int workers>
struct pusher_and_workers {
  static constexpr int threads = 1 + workers;
  explicit pusher_and_workers(flaw which) : protocol_(which) {}

  void run(int thread) {
    if (thread != 0) return protocol_.find_task(thread - 1);
    for (int i = 0; i < workers; ++i) protocol_.push();
  }
  void check() {}

 private:
  sleep_protocol protocol_;
};

TEST(sleep, loses_no_task) {
  const report one = explore<pusher_and_workers<1>>({.name = "one worker"}, flaw::none);
  EXPECT_FALSE(one.failed) << one.text();
  EXPECT_TRUE(one.complete);
  const report two =
      explore<pusher_and_workers<2>>({.name = "two workers", .locations = names}, flaw::none);
  EXPECT_FALSE(two.failed) << two.text();
  EXPECT_TRUE(two.complete);
  std::printf("%s\n%s\n", one.text().c_str(), two.text().c_str());
}

TEST(sleep, each_part_of_the_protocol_is_needed) {
  using enum flaw;
  for (const flaw which : {no_light_fence, no_heavy_fence, no_second_look}) {
    EXPECT_TRUE(explore<pusher_and_workers<1>>({.name = "flawed"}, which).failed)
        << static_cast<int>(which);
  }
  for (const flaw which : {no_fence_after_reset, searchers_do_not_pass_on}) {
    EXPECT_TRUE(explore<pusher_and_workers<2>>({.name = "flawed"}, which).failed)
        << static_cast<int>(which);
  }
}

}  // namespace
}  // namespace kasuri::model
