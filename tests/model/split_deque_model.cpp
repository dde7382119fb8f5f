// SPDX-License-Identifier: Apache-2.0
// The protocol of a split deque whose owner never fences, with a thief that can take private items
// from an owner who does not answer. Written here as small as possible, to learn what each part of
// the protocol is needed for; see docs/design/model-checking.md.
#include "explorer/explore.hpp"

#include <gtest/gtest.h>

namespace kasuri::model {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto acq_rel = std::memory_order_acq_rel;

enum class flaw { none, no_light_fence, no_heavy_fence, no_tag, no_lock_in_slow_pop };

constexpr int empty = 0;

// Items at [head, split) are public and taken by compare-exchange of `shared_`; items at
// [split, top) are private. The owner pops while its new top stays at or above `floor_`, which is
// `split` unless a rescuer has raised it. `split` and `floor_` change under the lock only. The tag
// changes whenever the split does: without it a thief that has read a slot could succeed after the
// owner took the item back and published another one in the same place.
class split_deque {
 public:
  explicit split_deque(flaw which) : flaw_(which) {}

  void push(int item) {
    const int top = top_.load(relaxed);
    slots_[top % size].store(item, relaxed);
    top_.store(top + 1, release);
    light();
    if (wanted_.load(relaxed) != 0) publish();
  }

  int pop() {
    const int top = top_.load(relaxed) - 1;
    top_.store(top, release);
    light();
    if (top >= floor_.load(relaxed)) return slots_[top % size].load(relaxed);
    return pop_slowly(top);
  }

  int steal() {
    word shared = shared_.load(acquire);
    if (shared.head == shared.split) {
      wanted_.store(1, relaxed);
      return empty;
    }
    const int item = slots_[shared.head % size].load(relaxed);
    word next = shared;
    ++next.head;
    return shared_.compare_exchange_strong(shared, next, acq_rel, relaxed) ? item : empty;
  }

  // Publishes half of the private part in the owner's place.
  void rescue() {
    lock();
    floor_.store(everything, relaxed);
    if (flaw_ != flaw::no_heavy_fence) atomics::fence_heavy();
    const int top = top_.load(acquire);
    const int split = shared_.load(relaxed).split;
    if (top > split) move_split(split + (top - split + 1) / 2);
    floor_.store(shared_.load(relaxed).split, relaxed);
    unlock();
  }

 private:
  struct word {
    std::int16_t head = 0;
    std::int16_t split = 0;
    std::int32_t tag = 0;
    bool operator==(const word&) const = default;
  };
  static constexpr int size = 4;
  static constexpr int everything = 1000;

  void light() {
    if (flaw_ != flaw::no_light_fence) atomics::fence_light();
  }
  void lock() {
    while (locked_.exchange(true, acquire)) atomics::pause();
  }
  void unlock() { locked_.store(false, release); }

  void move_split(int to) {
    word shared = shared_.load(relaxed);
    word next;
    do {
      next = shared;
      next.split = static_cast<std::int16_t>(to);
      if (flaw_ != flaw::no_tag) ++next.tag;
    } while (!shared_.compare_exchange_weak(shared, next, release, relaxed));
  }

  void publish() {
    lock();
    wanted_.store(0, relaxed);
    const int split = shared_.load(relaxed).split;
    const int top = top_.load(relaxed);
    if (top > split) move_split(split + (top - split + 1) / 2);
    floor_.store(shared_.load(relaxed).split, relaxed);
    unlock();
  }

  int pop_slowly(int top) {
    if (flaw_ != flaw::no_lock_in_slow_pop) lock();
    const int item = take_locked(top);
    if (flaw_ != flaw::no_lock_in_slow_pop) unlock();
    return item;
  }

  int take_locked(int top) {
    word shared = shared_.load(acquire);
    if (top >= shared.split) return slots_[top % size].load(relaxed);
    word next;
    do {
      if (shared.head == shared.split) {
        top_.store(top + 1, release);
        return empty;
      }
      next = shared;
      --next.split;
      if (flaw_ != flaw::no_tag) ++next.tag;
    } while (!shared_.compare_exchange_weak(shared, next, acq_rel, acquire));
    floor_.store(next.split, relaxed);
    return slots_[top % size].load(relaxed);
  }

  flaw flaw_;
  atomic<int> top_{0};
  atomic<int> floor_{0};
  atomic<int> wanted_{0};
  atomic<bool> locked_{false};
  atomic<word> shared_{word{}};
  atomic<int> slots_[size];
};

const std::vector<std::string> names{"top",      "floor",    "wanted",   "locked",   "shared",
                                     "slots[0]", "slots[1]", "slots[2]", "slots[3]"};

// What the threads do with the deque: a letter for each call, the owner's first. u push, o pop,
// s steal, r rescue.
struct script {
  std::vector<std::string> calls;
  flaw which = flaw::none;
};

template <int count>
struct deque_program {
  static constexpr int threads = count;
  explicit deque_program(const script& what) : script_(what), deque_(what.which) {}

  void run(int thread) {
    for (const char call : script_.calls[static_cast<std::size_t>(thread)]) {
      switch (call) {
        case 'u': deque_.push(++pushed_); break;
        case 'o': got(thread, deque_.pop()); break;
        case 's': got(thread, deque_.steal()); break;
        case 'r': deque_.rescue(); break;
      }
    }
  }

  void check() {
    for (int item = deque_.pop(); item != empty; item = deque_.pop()) got(0, item);
    for (int item = 1; item <= pushed_; ++item) {
      int times = 0;
      for (const auto& mine : taken_) times += mine[item];
      require(times <= 1, "an item was handed out twice");
      require(times >= 1, "an item was lost");
    }
  }

 private:
  void got(int thread, int item) {
    if (item != empty) ++taken_[thread][item];
  }

  const script& script_;
  split_deque deque_;
  int pushed_ = 0;
  int taken_[threads][8] = {};
};

template <int count>
report explore_script(const script& what) {
  std::string name = "split deque:";
  for (const std::string& calls : what.calls) name += " " + calls;
  return explore<deque_program<count>>({.name = name, .locations = names}, std::cref(what));
}

template <int count>
void expect_sound(const script& what) {
  const report result = explore_script<count>(what);
  EXPECT_FALSE(result.failed) << result.text();
  EXPECT_TRUE(result.complete) << result.text();
  std::printf("%s\n", result.text().c_str());
}

TEST(split_deque, hands_out_every_item_once) {
  expect_sound<2>({{"uuoo", "ss"}});
  expect_sound<2>({{"uuoo", "rs"}});
  expect_sound<2>({{"uuouo", "srs"}});
  expect_sound<3>({{"uuoo", "rs", "s"}});
}

TEST(split_deque, each_part_of_the_protocol_is_needed) {
  using enum flaw;
  for (const flaw which : {no_light_fence, no_heavy_fence, no_lock_in_slow_pop}) {
    EXPECT_TRUE(explore_script<2>({{"uuoo", "rs"}, which}).failed) << static_cast<int>(which);
  }
  // The thief has read the slot; the owner takes the item back and publishes another one there.
  EXPECT_TRUE(explore_script<3>({{"uouo", "s", "srr"}, no_tag}).failed);
  EXPECT_FALSE(explore_script<3>({{"uouo", "s", "srr"}, none}).failed);
}

}  // namespace
}  // namespace kasuri::model
