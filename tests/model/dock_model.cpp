// SPDX-License-Identifier: Apache-2.0
// The word of a dock (src/omp/team/dock_word.hpp), the very source. Around it, as in
// omp/team/dock.cpp and omp/region/dock_worker.cpp: regions that a root posts to a worker, which
// leaves the dock when it has looked for a while, and the end of the root; and a worker that other
// members of the region send for help. Only the dock's word, and the sign that the worker has been
// sent for, have flawed atomics: the ways on which frames and ends of regions are told have models
// of their own.
#include "omp/team/dock_word.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "flawed_atomics.hpp"

namespace kasuri::model {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

constexpr std::uintptr_t a_region = 16;
constexpr std::uintptr_t to_help = 16 + 2;

using word = atomic<std::uint32_t>;

void wait_for(const word& w, std::uint32_t wanted) {
  while (w.load(acquire) != wanted) atomics::pause();
}

// What is done wrong by hand.
enum class flaw {
  none,
  tells_before_it_stands,  // the worker says that it has finished, and goes to the dock then
  frees_unseen,            // the root frees its team while the worker may look at it
};

/// Thread 0 posts regions to thread 1, a worker, which leaves the dock at once if it can.
template <class A>
struct regions_of_a_root {
  static constexpr int threads = 2;
  explicit regions_of_a_root(flaw what = flaw::none) : what_(what) {}

  void run(int thread) { thread == 0 ? be_root() : be_worker(); }
  void check() {
    require(dock_.look() == dock::away, "the worker has not left the dock");
    require(ran_ == regions, "a region was run twice");
  }

 private:
  using dock = omp::dock_word<A>;
  static constexpr std::uint32_t regions = 2;

  void be_root() {
    for (std::uint32_t r = 1; r <= regions; ++r) {
      team_ = r;
      if (!dock_.post(a_region)) frame_.store(1, release);
      wait_for(finished_, r);
      require(result_ == r, "the worker has run another region");
    }
    if (what_ == flaw::frees_unseen || dock_.look() == dock::away) memory_ = 0;
  }

  void be_worker() {
    while (ran_ != regions) {
      wait_for(frame_, 1);
      frame_.store(0, relaxed);
      stand_at_dock();
    }
  }

  void stand_at_dock() {
    for (std::uintptr_t posted = dock_.look(); posted != dock::away; posted = wait()) {
      require(posted == a_region, "what is posted is no region");
      result_ = static_cast<std::uint32_t>(team_);
      ++ran_;
      if (what_ == flaw::tells_before_it_stands) finished_.store(ran_, release);
      dock_.stand();
      if (what_ != flaw::tells_before_it_stands) finished_.store(ran_, release);
    }
  }

  std::uintptr_t wait() {
    for (;;) {
      const std::uintptr_t posted = dock_.look();
      if (posted != dock::waiting) return posted;
      require(memory_ == 1, "the worker looks at a team that is freed");
      if (dock_.leave()) return dock::away;
    }
  }

  flaw what_;
  dock dock_;
  word frame_{0};
  word finished_{0};
  plain<std::uint32_t> team_{0};  // the region
  plain<std::uint32_t> result_{0};
  plain<int> memory_{1};  // of the team: the worker looks at it until it goes on
  std::uint32_t ran_ = 0;
};

/// Threads 0 and 1, members of a region, send for thread 2, which has finished it. When nobody
/// helps any more the root, thread 0, posts the next region.
template <class A, class Sign>
struct sent_for_help {
  static constexpr int threads = 3;
  explicit sent_for_help(flaw what = flaw::none) : what_(what) {}

  void run(int thread) {
    if (thread == 2) return be_worker();
    send();
    if (thread == 1) return other_has_ended_.store(1, release);
    wait_for(other_has_ended_, 1);
    wait_for(helpers_, 0);
    team_ = 1;
    if (!dock_.post(a_region)) frame_.store(1, release);
  }
  void check() {
    require(region_ran_, "the region was not run");
    require(sent_ == helped_, "the worker was sent for and has not helped");
  }

 private:
  using dock = omp::dock_word<A>;

  void send() {
    if (comes_back_.exchange(1, acquire) != 0) return;
    ++sent_;
    helpers_.fetch_add(1, relaxed);
    if (!dock_.post(to_help)) frame_.store(1, release);
  }

  void be_worker() {
    while (!region_ran_) {
      wait_for(frame_, 1);
      frame_.store(0, relaxed);
      std::uintptr_t posted = dock_.look();
      while (posted != dock::away) {
        posted == to_help ? help() : run_region();
        do posted = dock_.look();
        while (posted == dock::waiting && !dock_.leave());
        if (posted == dock::waiting) posted = dock::away;
      }
    }
  }

  void help() {
    ++helped_;
    if (what_ == flaw::tells_before_it_stands) comes_back_.store(0, release);
    dock_.stand();
    if (what_ != flaw::tells_before_it_stands) comes_back_.store(0, release);
    helpers_.fetch_sub(1, release);
  }

  void run_region() {
    require(team_ == 1, "the worker does not see the region");
    region_ran_ = true;
    dock_.stand();
  }

  flaw what_;
  dock dock_;
  typename Sign::template atomic<std::uint32_t> comes_back_{0};
  word helpers_{0};
  word frame_{0};
  word other_has_ended_{0};
  plain<int> team_{0};
  bool region_ran_ = false;
  int sent_ = 0;
  int helped_ = 0;
};

template <class A>
report regions(flaw what = flaw::none) {
  return explore<regions_of_a_root<A>>(
      {.name = "dock, two regions", .locations = {"dock", "frame", "finished"}}, what);
}

template <class A, class Sign = atomics>
report help(flaw what = flaw::none) {
  return explore<sent_for_help<A, Sign>>(
      {.name = "dock, sent for help",
       .locations = {"dock", "comes back", "helpers", "frame", "other has ended"}},
      what);
}

TEST(dock, no_region_is_lost) {
  expect_sound(regions<atomics>());
  expect_sound(help<atomics>());
}

TEST(dock, needs_its_orders) {
  expect_found(regions<without_orders>(), "data race");
  expect_found(regions<without_acquire>(), "data race");
  expect_found(regions<without_release>(), "data race");
  expect_found(help<atomics, without_orders>(), waits_for_ever);
  expect_found(help<atomics, without_acquire>(), waits_for_ever);
}

TEST(dock, needs_locked_instructions) { expect_found(regions<torn>(), waits_for_ever); }

TEST(dock, a_worker_stands_before_it_says_so) {
  expect_found(regions<atomics>(flaw::tells_before_it_stands), waits_for_ever);
  expect_found(help<atomics>(flaw::tells_before_it_stands), waits_for_ever);
}

TEST(dock, a_team_is_freed_when_the_worker_has_left) {
  expect_found(regions<atomics>(flaw::frees_unseen), "data race");
}

}  // namespace
}  // namespace kasuri::model
