// SPDX-License-Identifier: Apache-2.0
// The deque against its sequential specification: one owner that does what the runtime's owners do,
// in random order, and thieves that steal, ask and rescue.
//
// Specification
//   - Each frame is taken exactly once, by the owner or by one thief.
//   - What the owner takes is the newest frame of all that nobody has taken.
//   - A pop without result means that thieves have taken, or are just taking, all there was.
//   - Thieves take the oldest: numbers of frames, given at the push, only rise in their hands.
//   - A stolen fork-join frame has its join word initialised; a push that is refused changes
//     nothing.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "kasuri/detail/atomics.hpp"
#include "sched/kernel/deque.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

using detail::frame;
using detail::real_atomics;
using face = detail::deque_face<real_atomics>;
using queue = sched::deque<real_atomics>;

constexpr detail::frame_type structured{nullptr, true, "structured"};
constexpr detail::frame_type detached{nullptr, false, "detached"};
constexpr std::uintptr_t untouched = 77;

struct item : frame {
  std::atomic<int> taken{0};
  std::size_t number = 0;
};

struct shape {
  std::size_t capacity;
  std::size_t soft;
  int thieves;
  int depth;
};

std::string name_of(const shape& s) {
  return "capacity" + std::to_string(s.capacity) + "_thieves" + std::to_string(s.thieves);
}

/// What a failure says of the row, which would be its bytes.
void PrintTo(const shape& s, std::ostream* out) { *out << name_of(s); }

struct arena {
  explicit arena(const shape& s)
      : words(new queue::slot[s.capacity + 2]()), deque(ends, words.get(), s.capacity, s.soft) {}

  static constexpr std::size_t most = 4000;  // frames in a round

  std::vector<item> items{most};
  face ends;
  std::unique_ptr<queue::slot[]> words;
  queue deque;
  std::atomic<bool> stop{false};
  std::atomic<int> round{0};
  std::atomic<int> wrong_join{0};
  std::atomic<int> wrong_order{0};
};

void wait_until_taken(const item& i) {
  // acquire: pairs with the release of the increment by the taker
  for (unsigned n = 0; i.taken.load(std::memory_order_acquire) == 0; ++n) real_atomics::backoff(n);
}

void steal_for_ever(arena& a, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  int round = -1;
  std::size_t last = 0;
  // acquire: pairs with the store of stop by the test's end
  while (!a.stop.load(std::memory_order_acquire)) {
    frame* f = nullptr;
    switch (random() % 16) {
      case 0:
      case 2:
        a.deque.rescue();
        break;
      case 1:
        a.deque.ask();
        break;
      case 3:
        a.deque.peek();
        break;
      default:
        break;
    }
    if (a.deque.steal(f) != sched::steal_result::taken) continue;
    auto& i = *static_cast<item*>(f);
    const int now = a.round.load(std::memory_order_relaxed);
    if (now == round && i.number <= last) ++a.wrong_order;
    round = now;
    last = i.number;
    if (i.type == &structured && i.join_word().load() != detail::join_empty) ++a.wrong_join;
    i.taken.fetch_add(1);
  }
}

class owner {
 public:
  owner(arena& a, std::uint64_t seed) : a_(a), random_(seed) {}

  void run_round(int depth) {
    for (item& i : a_.items) i.taken.store(0, std::memory_order_relaxed);
    next_ = 0;
    suspended_at_ = 0;
    // release: pairs with the slots' publication; thieves see the new numbers first
    a_.round.fetch_add(1, std::memory_order_release);
    while (next_ + 40 < arena::most) step(depth);
    while (take_newest()) {
    }
    for (std::size_t i = 0; i != next_; ++i) {
      wait_until_taken(a_.items[i]);
      ASSERT_EQ(a_.items[i].taken.load(), 1);
    }
    a_.deque.rewind();
    ASSERT_TRUE(a_.deque.empty());
    ASSERT_EQ(a_.deque.size(), 0u);
    ASSERT_EQ(wrong_, 0);
  }

  int refused() const { return refused_; }

 private:
  item& fresh(const detail::frame_type& type) {
    item& i = a_.items[next_];
    i.number = next_++;
    i.type = &type;
    i.join = untouched;
    return i;
  }

  void took(frame* f) {
    auto* i = static_cast<item*>(f);
    if (outstanding_.empty() || outstanding_.back() != i) ++wrong_;
    if (!outstanding_.empty()) outstanding_.pop_back();
    i->taken.fetch_add(1);
  }

  /// The owner found `oldest_left` gone: it and all older ones are the thieves'.
  void stolen_up_to(std::size_t count) {
    for (std::size_t i = 0; i != count; ++i) wait_until_taken(*outstanding_[i]);
    outstanding_.erase(outstanding_.begin(), outstanding_.begin() + static_cast<long>(count));
  }

  bool take_newest() {
    frame* f = a_.deque.pop();
    if (f != nullptr)
      took(f);
    else
      stolen_up_to(outstanding_.size());
    return f != nullptr;
  }

  void answer() {
    if (!a_.deque.asked()) return;
    a_.deque.publish((a_.deque.private_size() + 1) / 2);
    a_.deque.answer();
  }

  /// What parallel_invoke does, with `depth` levels of the same between push and join.
  void fork(int depth) {
    item& f = fresh(structured);
    queue::slot* at;
    const bool slow = a_.ends.push(&f, at);
    if (slow && a_.deque.refused(at)) {
      a_.deque.drop_refused();
      ++refused_;
      step(depth);
      f.taken.fetch_add(1);
      return;
    }
    outstanding_.push_back(&f);
    if (slow) answer();
    step(depth);
    join(f, at);
  }

  void join(item& f, queue::slot* at) {
    const auto found = a_.ends.pop(&f, at);
    if (f.number < suspended_at_ && found != face::popped::not_lowered) ++wrong_;
    if (found == face::popped::mine || a_.deque.reclaim(&f, at, found == face::popped::lowered))
      return took(&f);
    // Stolen, or public with detached frames above it: the loop takes those first.
    while (f.taken.load() == 0)
      if (!take_newest()) return;
  }

  /// What spawn_detached does.
  void detach() {
    item& f = fresh(detached);
    queue::slot* at;
    a_.deque.publish_structured();
    const bool slow = a_.ends.push(&f, at, detail::slot_detached);
    if (!slow || !a_.deque.crowded(at)) {
      outstanding_.push_back(&f);
      if (slow) answer();
    } else if (a_.deque.refused(at)) {
      a_.deque.drop_refused();
      ++refused_;
      f.taken.fetch_add(1);
    } else if (a_.deque.pop_private() == nullptr) {
      outstanding_.push_back(&f);
      take_newest();
    } else {
      f.taken.fetch_add(1);
      answer();
    }
  }

  void step(int depth) {
    if (depth == 0 || next_ + 40 >= arena::most) return;
    switch (random_() % 13) {
      case 0:
      case 1:
      case 2:
      case 3:
        return fork(depth - 1);
      case 4:
      case 5:
        fork(depth - 1);
        return step(depth - 1);
      case 6:
      case 7:
      case 8:
        detach();
        return step(depth - 1);
      case 9:
        suspend();
        return step(depth - 1);
      case 10:
      case 11:
        return wait_for_group();
      default:
        answer();
    }
  }

  /// What the deque sees of a suspension: from here on all frames pushed so far are public, so that
  /// the thread that pushed them, which may go on elsewhere, does not pop them by their slots.
  void suspend() {
    a_.deque.publish_structured();
    suspended_at_ = next_;
  }

  /// What a waiting group does: takes detached frames and puts others back.
  void wait_for_group() {
    frame* f = a_.deque.pop_private();
    if (f == nullptr) return;
    if (f->type == &detached) return took(f);
    // Long enough, now and then, for a thief to be in the middle of a rescue.
    for (auto n = random_() % 64; n != 0; --n) real_atomics::pause();
    a_.deque.unpop();
    if (random_() % 2 == 0) suspend();
  }

  arena& a_;
  std::mt19937_64 random_;
  std::size_t next_ = 0;
  std::size_t suspended_at_ = 0;
  std::vector<item*> outstanding_;  // the sequential deque: pushed, and not known to be taken
  int refused_ = 0;
  int wrong_ = 0;
};

class deque_stress : public testing::TestWithParam<shape> {};

TEST_P(deque_stress, agrees_with_the_specification) {
  const shape s = GetParam();
  detail::prepare_fence_heavy();
  arena a(s);
  std::vector<std::thread> thieves;
  for (int i = 0; i != s.thieves; ++i)
    thieves.emplace_back(steal_for_ever, std::ref(a), static_cast<std::uint64_t>(i) + 7);
  owner o(a, 1);
  for (int r = 0, rounds = scaled(150); r != rounds && !HasFatalFailure(); ++r)
    o.run_round(s.depth);
  // release: pairs with the acquire in steal_for_ever
  a.stop.store(true, std::memory_order_release);
  for (std::thread& t : thieves) t.join();
  EXPECT_EQ(a.wrong_join.load(), 0);
  EXPECT_EQ(a.wrong_order.load(), 0);
  if (s.capacity < 8) {
    EXPECT_GT(o.refused(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(shapes, deque_stress,
                         testing::Values(shape{1, 1, 1, 6}, shape{2, 2, 2, 8}, shape{4, 3, 3, 12},
                                         shape{16, 8, 1, 30}, shape{16, 16, 3, 30},
                                         shape{1024, 1000, 2, 200}),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace kasuri::test
