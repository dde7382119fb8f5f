// SPDX-License-Identifier: Apache-2.0
// The sleep protocol (src/sched/kernel/idle.hpp) and the push that it must not slow down
// (kasuri/detail/deque_face.hpp), the very sources: an owner pushes and then answers nobody,
// workers look for work and sleep. If a wake-up could be lost, a worker would sleep for ever beside
// a waiting frame, which the explorer reports as a deadlock.
#include <gtest/gtest.h>

#include "explorer/explore.hpp"
#include "flawed_atomics.hpp"
#include "sched/kernel/deque.hpp"
#include "sched/kernel/idle.hpp"

namespace kasuri::model {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto acq_rel = std::memory_order_acq_rel;

constexpr detail::frame_type some_type{nullptr, false, "frame of the model"};

struct item : detail::frame {
  item() noexcept { type = &some_type; }
};

// The deque with the real owner's end and thieves that just count what they have taken: the sleep
// protocol sees no difference, and far fewer executions need exploring.
template <class A, std::size_t capacity>
class counted_queue {
 public:
  using slot = typename detail::deque_face<A>::slot;

  counted_queue() {
    face_.top.store(words_, relaxed);
    answer();
  }
  bool push(item& i, slot*& at) { return face_.push(&i, at); }
  void publish() {}
  void answer() { face_.limit.store(words_ + capacity, relaxed); }
  bool ask() {
    if (face_.limit.load(relaxed) == nullptr) return false;
    face_.limit.store(nullptr, relaxed);
    return true;
  }
  bool asked() const { return face_.limit.load(relaxed) == nullptr; }
  bool empty() const { return face_.top.load(relaxed) - words_ <= taken_.load(relaxed); }
  bool take() {
    int taken = taken_.load(relaxed);
    while (face_.top.load(relaxed) - words_ > taken) {
      if (taken_.compare_exchange_weak(taken, taken + 1, relaxed, relaxed)) return true;
    }
    return false;
  }

 private:
  detail::deque_face<A> face_;
  slot words_[capacity + 1];
  typename A::template atomic<int> taken_{0};
};

// The deque itself. A worker that sees private frames only rescues one at once.
template <class A, std::size_t capacity>
class real_queue {
 public:
  using slot = typename detail::deque_face<A>::slot;

  bool push(item& i, slot*& at) { return face_.push(&i, at); }
  void publish() { queue_.publish((queue_.private_size() + 1) / 2); }
  void answer() { queue_.answer(); }
  bool ask() { return queue_.ask(); }
  bool asked() const { return queue_.asked(); }
  bool empty() const { return queue_.empty(); }
  bool take() {
    for (;;) {
      detail::frame* f = nullptr;
      const sched::steal_result result = queue_.steal(f);
      if (result == sched::steal_result::taken) return true;
      if (result == sched::steal_result::lost) continue;
      if (queue_.empty() || !queue_.rescue()) return false;
    }
  }

 private:
  detail::deque_face<A> face_;
  slot words_[capacity + 2];
  sched::deque<A> queue_{face_, words_, capacity, capacity};
};

struct counts {
  int workers;
  int share;  // frames that each worker takes
};

// Thread 0 owns the deque and pushes. The other threads are the workers: each takes its share of
// the frames and is then busy for ever. What they do is what pool/waker.cpp does, without clocks.
template <class A, template <class, std::size_t> class queue, counts n>
class pool_program {
 public:
  static constexpr int threads = 1 + n.workers;

  pool_program() {
    idle_.reset(0, threads);
    for (int t = 0; t < threads; ++t) idle_.try_enter();
    for (int w = 0; w < n.workers; ++w) idle_.start_search();
  }

  void run(int thread) {
    if (thread == 0) {
      for (item& i : items_) push(i);
      return;
    }
    for (int i = 0; i < n.share; ++i) {
      if (i != 0) idle_.start_search();
      find_work(asleep_[thread - 1]);
    }
  }
  void check() {}

  // for idle::prepare_sleep
  void ask_all() noexcept { queue_.ask(); }
  bool work_visible() const noexcept { return !queue_.empty(); }

 private:
  using word = typename A::template atomic<std::uint32_t>;
  static constexpr std::size_t frames = n.workers * n.share;

  void push(item& i) {
    typename queue<A, frames>::slot* at = nullptr;
    if (!queue_.push(i, at) || !queue_.asked()) return;
    queue_.publish();
    queue_.answer();
    A::fence_full();
    if (idle_.claim()) use_claim();
  }

  void find_work(word& asleep) {
    while (!queue_.take()) {
      if (!queue_.empty()) {
        A::pause();
      } else if (idle_.prepare_sleep(asleep, *this)) {
        while (asleep.load(acquire) == 1) A::futex_wait(asleep, std::uint32_t{1});
      }
    }
    if (idle_.stop_search()) use_claim();
  }

  void use_claim() {
    for (;; A::pause()) {
      for (word& asleep : asleep_) {
        if (asleep.load(relaxed) == 0 || asleep.exchange(0, acq_rel) == 0) continue;
        A::futex_wake(asleep, 1);
        return;
      }
    }
  }

  queue<A, frames> queue_;
  sched::idle<A> idle_;
  word asleep_[n.workers];
  item items_[frames];
};

template <class A, template <class, std::size_t> class queue, counts n>
report explore_pool(options how = {}) {
  how.name = std::to_string(n.workers) + " workers, " + std::to_string(n.share) + " frames each";
  return explore<pool_program<A, queue, n>>(how);
}

void expect_sound(const report& result) {
  EXPECT_TRUE(result.complete && !result.failed);
  std::printf("%s\n", result.text().c_str());
}

template <class A, counts n>
void expect_lost_wake_up() {
  const report result = explore_pool<A, counted_queue, n>();
  ASSERT_TRUE(result.failed) << result.text();
  EXPECT_NE(result.failed->what.find("sleeps in futex_wait"), std::string::npos) << result.text();
}

TEST(idle, a_worker_loses_no_wake_up) {
  expect_sound(explore_pool<atomics, real_queue, counts{1, 1}>());
  expect_sound(explore_pool<atomics, counted_queue, counts{1, 2}>());
}

TEST(idle, two_workers_lose_no_wake_up) {
  using report_of = report (*)(options);
  const report_of two = explore_pool<atomics, counted_queue, counts{2, 1}>;
  expect_sound(two({.reduce = false, .deviations = 3, .weak = false}));
  expect_sound(two({.reduce = false, .deviations = 1}));
}

TEST(idle, needs_every_fence) {
  expect_lost_wake_up<without_light_fence, counts{1, 1}>();
  expect_lost_wake_up<without_heavy_fence, counts{1, 1}>();
  expect_lost_wake_up<without_full_fence, counts{1, 2}>();
}

}  // namespace
}  // namespace kasuri::model
