// SPDX-License-Identifier: Apache-2.0
// Pins and blocks of the cluster's cache, the very sources of their words
// (kasuri/global/detail/pin.hpp, blocks/block.hpp and checkouts/pins.hpp of src/cluster/memory):
// checkouts beside an eviction and beside a release. What lies between the words, the steps of
// checkout.cpp, cache/evictor.cpp and cache/writer.cpp, is transcribed for one block and one pin,
// since there it hangs on a whole memory with its network, lists and system calls.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cluster/memory/blocks/block.hpp"
#include "cluster/memory/checkouts/pins.hpp"
#include "expectations.hpp"
#include "flawed_atomics.hpp"
#include "kasuri/global/detail/pin.hpp"

namespace kasuri::model {
namespace {

using cluster::byte_range;
using cluster::byte_set;
using cluster::range_of;

constexpr byte_range part{0, 8};
constexpr std::uint64_t offset = 4096;

// What is done wrong by hand.
enum class flaw {
  none,
  drops_first,           // the checkout ends before the last use
  hints_late,            // the taker clears the hint when it has looked at the pins
  looks_before_fence,    // the taker looks at the pins before the heavy fence
  ignores_pins,          // the taker does not look at the pins
  pins_behind_the_look,  // the checkout reads the hint before it writes its pin
};

/// What a checkout and a taker share: a block, its memory, and the pin of the thread that checks
/// out.
template <class A>
class one_block {
 protected:
  explicit one_block(flaw what) : what_(what) {}

  /// The checkout of the part. `bring` is called when the hint does not cover it, with the block
  /// locked.
  template <class Hint, class Bring>
  void check_out(const Hint& hint, bool writes, Bring bring) {
    const bool early = what_ == flaw::pins_behind_the_look && covers(hint);
    pin_.occupy(offset, part.end, writes, 0);
    if (early || (what_ != flaw::pins_behind_the_look && covers(hint))) return;
    pin_.drop();
    pin_.occupy(offset, part.end, writes, 0);  // the slow way begins anew
    while (!block_.try_lock()) A::pause();
    sets_change();
    bring();
    block_.publish(part);
    block_.unlock();
  }

  /// Whether a checkout lasts that `matters`. The hints are gone then; the block is locked.
  template <class Matters>
  bool is_pinned(Matters matters) {
    const auto look = [&] {
      const auto range = range_of(pin_);
      return range && range->begin < offset + part.end && offset < range->end && matters(*range);
    };
    if (what_ != flaw::hints_late) clear_hints();
    const bool early = what_ == flaw::looks_before_fence && look();
    A::fence_heavy();
    const bool pinned = what_ == flaw::looks_before_fence ? early : look();
    if (what_ == flaw::hints_late) clear_hints();
    return pinned && what_ != flaw::ignores_pins;
  }

  /// The valid and dirty bytes are plain data under the block's lock.
  void sets_change() { changes_ = changes_ + 1; }

  const flaw what_;
  global::detail::pin_words<A> pin_;
  cluster::block_of<A> block_;
  plain<int> memory_{0};
  plain<int> changes_{0};

 private:
  template <class Hint>
  static bool covers(const Hint& hint) {
    return hint.covers(part.begin, part.end);
  }
  void clear_hints() {
    block_.readable.clear();
    block_.writable.clear();
  }
};

/// Thread 0 checks the part out for reading `reads` times; thread 1 evicts the block, which is here
/// at first.
template <class A, int reads>
struct eviction : one_block<A> {
  static constexpr int threads = 2;
  explicit eviction(flaw what = flaw::none) : one_block<A>(what) {
    fetch();
    this->block_.publish(part);
  }

  void run(int thread) {
    if (thread == 1) return evict();
    for (int i = 0; i != reads; ++i) {
      this->check_out(this->block_.readable, false, [this] {
        if (!this->block_.valid.covers(part)) fetch();
      });
      if (this->what_ == flaw::drops_first) this->pin_.drop();
      require(this->memory_ == current, "a checkout finds memory that was taken away");
      if (this->what_ != flaw::drops_first) this->pin_.drop();
    }
  }
  void check() {
    require(this->block_.valid.empty() == (this->memory_ != current), "what is valid is not here");
  }

 private:
  static constexpr int current = 1;

  void fetch() {
    this->memory_ = current;
    this->block_.valid.add(part);
    this->block_.set(cluster::block_of<A>::resident);
  }

  void evict() {
    if (!this->block_.try_lock()) return;
    this->sets_change();
    if (this->is_pinned([](const auto&) { return true; })) {
      const auto parts = this->block_.valid.parts();
      this->block_.publish(parts.empty() ? byte_range{} : parts.front());
    } else {
      this->memory_ = 0;
      this->block_.valid.clear();
      this->block_.reset(cluster::block_of<A>::resident);
    }
    this->block_.unlock();
  }
};

/// Thread 0 checks the part out for writing `writes` times; thread 1 releases, and brings home what
/// is dirty.
template <class A, int writes>
struct releasing : one_block<A> {
  static constexpr int threads = 2;
  explicit releasing(flaw what = flaw::none) : one_block<A>(what) {
    mark();
    this->block_.publish(part);
  }

  void run(int thread) {
    if (thread == 1) return release();
    for (int i = 1; i <= writes; ++i) {
      this->check_out(this->block_.writable, true, [this] { mark(); });
      if (this->what_ == flaw::drops_first) this->pin_.drop();
      this->memory_ = i;
      if (this->what_ != flaw::drops_first) this->pin_.drop();
    }
  }
  void check() {
    require(told_ == writes || !this->block_.dirty.empty(), "what was written is never told of");
  }

 private:
  void mark() {
    this->block_.valid.add(part);
    this->block_.dirty.add(part);
  }

  void release() {
    while (!this->block_.try_lock()) A::pause();
    this->sets_change();
    byte_set left;
    if (this->is_pinned([](const auto& range) { return range.writes; }))
      left.assign(this->block_.dirty);
    else if (!this->block_.dirty.empty())
      told_ = this->memory_;
    this->block_.dirty.assign(left);
    this->block_.unlock();
  }

  int told_ = 0;
};

const std::vector<std::string> names{"offset", "extent", "frame", "readable", "writable", "state"};

template <class A>
report evicts(flaw what = flaw::none) {
  return explore<eviction<A, 2>>({.name = "pins, eviction", .locations = names}, what);
}

template <class A>
report releases(flaw what = flaw::none) {
  return explore<releasing<A, 2>>({.name = "pins, release", .locations = names}, what);
}

constexpr const char* race_on_memory = "data race on plain data 0";
constexpr flaw flaws[] = {flaw::drops_first, flaw::hints_late, flaw::looks_before_fence,
                          flaw::ignores_pins, flaw::pins_behind_the_look};

TEST(pins, a_checkout_keeps_its_memory) {
  expect_sound(evicts<atomics>());
  expect_sound(explore<eviction<atomics, 3>>({.name = "pins, eviction, three checkouts"}));
}

TEST(pins, what_is_written_is_told_of) {
  expect_sound(releases<atomics>());
  expect_sound(explore<releasing<atomics, 3>>({.name = "pins, release, three checkouts"}));
}

TEST(pins, need_their_fences) {
  expect_found(evicts<without_light_fence>(), race_on_memory);
  expect_found(evicts<without_heavy_fence>(), race_on_memory);
  expect_found(releases<without_light_fence>(), race_on_memory);
  expect_found(releases<without_heavy_fence>(), race_on_memory);
}

TEST(pins, need_their_orders) {
  expect_found(evicts<without_orders>(), "data race");
  expect_found(evicts<without_acquire>(), "data race");
  expect_found(evicts<without_release>(), "data race");
  expect_found(releases<without_orders>(), "data race");
  expect_found(releases<without_acquire>(), "data race");
  expect_found(releases<without_release>(), "data race");
}

TEST(pins, both_sides_keep_their_order) {
  for (const flaw what : flaws) {
    expect_found(evicts<atomics>(what), race_on_memory);
    expect_found(releases<atomics>(what), race_on_memory);
  }
}

}  // namespace
}  // namespace kasuri::model
