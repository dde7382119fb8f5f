// SPDX-License-Identifier: Apache-2.0
// Pins and blocks of the cluster's cache, the very sources of their words
// (kasuri/global/detail/pin.hpp, blocks/block.hpp and checkouts/pins.hpp of src/cluster/memory):
// checkouts beside an eviction and beside a release. What lies between the words, the steps of
// checkout.cpp, cache/evictor.cpp and cache/writer.cpp, is transcribed for one block and one pin,
// since there it hangs on a whole memory with its network, lists and system calls.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cluster/base/kept_list.hpp"
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
  looks_before_notice,   // the notice is applied to what was looked at before it came
  node_late,             // the checkout writes its pin, reads the hint, and adds the node then
};

/// What checkouts and a taker share: a block, its memory, and a pin for each thread that checks
/// out.
template <class A, int pins = 1>
class one_block {
 protected:
  explicit one_block(flaw what) : what_(what) {}

  /// The checkout of the part. `bring` is called when the hint does not cover it, with the block
  /// locked.
  template <class Hint, class Bring>
  void check_out(int thread, const Hint& hint, bool writes, Bring bring) {
    auto& pin = pins_[thread];
    const bool early = what_ == flaw::pins_behind_the_look && covers(hint);
    pin.occupy(offset, part.end, writes, 0);
    if (early || (what_ != flaw::pins_behind_the_look && covers(hint))) return;
    pin.drop();
    pin.occupy(offset, part.end, writes, 0);  // the slow way begins anew
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
      bool found = false;
      for (const auto& pin : pins_) {
        const auto range = range_of(pin);
        if (!range || !matters(*range)) continue;
        found = found || (range->begin < offset + part.end && offset < range->end);
      }
      return found;
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
  global::detail::pin_words<A> pins_[pins];
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
      this->check_out(0, this->block_.readable, false, [this] {
        if (!this->block_.valid.covers(part)) fetch();
      });
      if (this->what_ == flaw::drops_first) this->pins_[0].drop();
      require(this->memory_ == current, "a checkout finds memory that was taken away");
      if (this->what_ != flaw::drops_first) this->pins_[0].drop();
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

/// Thread 0 gets its first node of pins and checks the part out by it; thread 1 adds a node of its
/// own, and then evicts the block, which is here at first.
template <class A>
struct first_node : one_block<A> {
  static constexpr int threads = 2;
  explicit first_node(flaw what = flaw::none) : one_block<A>(what) {
    this->memory_ = current;
    this->block_.valid.add(part);
    this->block_.publish(part);
  }

  void run(int thread) {
    node& mine = nodes_[thread];
    mine.owner = thread;
    if (thread == 1) {
      list_.add(mine);
      return evict();
    }
    if (this->what_ != flaw::node_late) list_.add(mine);
    mine.pin.occupy(offset, part.end, false, 0);
    const bool here = this->block_.readable.covers(part.begin, part.end);
    if (this->what_ == flaw::node_late) list_.add(mine);
    if (here) require(this->memory_ == current, "a checkout finds memory that was taken away");
    mine.pin.drop();
  }
  void check() {
    int met = 0;
    for (const node* n = list_.newest(); n != nullptr; n = n->next) ++met;
    require(met == threads, "a node was lost");
  }

 private:
  static constexpr int current = 1;
  struct node {
    global::detail::pin_words<A> pin;
    plain<node*> next{nullptr};
    plain<int> owner{-1};
  };

  void evict() {
    if (!this->block_.try_lock()) return;
    this->block_.readable.clear();
    A::fence_heavy();
    bool pinned = false;
    for (const node* n = list_.newest(); n != nullptr; n = n->next) {
      require(n->owner >= 0, "a node without an owner");
      pinned = pinned || range_of(n->pin).has_value();
    }
    if (!pinned) this->memory_ = 0;
    this->block_.unlock();
  }

  node nodes_[threads];
  cluster::kept_list<node, A> list_;
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
      this->check_out(0, this->block_.writable, true, [this] { mark(); });
      if (this->what_ == flaw::drops_first) this->pins_[0].drop();
      this->memory_ = i;
      if (this->what_ != flaw::drops_first) this->pins_[0].drop();
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

/// Threads 0 and 1 check the part out for reading `reads` times; it is not here at first. Each
/// brings it or goes by the hint that the other has set.
template <class A, int reads>
struct two_readers : one_block<A, 2> {
  static constexpr int threads = 2;
  explicit two_readers(flaw what = flaw::none) : one_block<A, 2>(what) {}

  void run(int thread) {
    for (int i = 0; i != reads; ++i) {
      this->check_out(thread, this->block_.readable, false, [this] {
        if (this->block_.valid.covers(part)) return;
        this->memory_ = 1;
        this->block_.valid.add(part);
      });
      require(this->memory_ == 1, "a checkout finds memory that is not there");
      this->pins_[thread].drop();
    }
  }
  void check() {}
};

constexpr const char* overlooked = "a checkout reads what a notice has named";

/// Thread 0 fetches the block, which is not here at first. Thread 1 has learned that the home was
/// written to, by a notice that it applies; then it checks the part out itself, and must read that.
template <class A>
struct notice : one_block<A> {
  static constexpr int threads = 2;
  explicit notice(flaw what = flaw::none) : one_block<A>(what) {}

  void run(int thread) {
    if (thread == 0) {
      lock();
      if (!this->block_.valid.covers(part)) fetch();
      unlock();
    } else {
      const bool early = this->what_ == flaw::looks_before_notice && this->block_.untouched();
      home_.store(1, std::memory_order_relaxed);  // the other rank's, which the notice tells of
      if (!early) drop();
      lock();
      if (!this->block_.valid.covers(part)) fetch();
      require(copy_ == 1, overlooked);
      unlock();
    }
  }
  void check() {}

 private:
  using block = cluster::block_of<A>;

  void lock() {
    while (!this->block_.try_lock()) A::pause();
    this->sets_change();
  }
  void unlock() { this->block_.unlock(); }

  void fetch() {
    block::fence_before_fetch();
    copy_ = home_.load(std::memory_order_relaxed);  // by the network
    this->block_.valid.add(part);
    this->block_.set(block::resident);
  }

  void drop() {
    block::fence_before_look();
    if (this->block_.untouched()) return;
    lock();
    this->block_.readable.clear();
    this->block_.valid.remove(part);
    unlock();
  }

  atomic<int> home_{0};
  plain<int> copy_{0};
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

TEST(pins, a_fetch_and_a_notice_do_not_miss_one_another) {
  expect_sound(explore<notice<atomics>>({.name = "pins, notice", .locations = names}));
}

TEST(pins, need_their_fences) {
  expect_found(evicts<without_light_fence>(), race_on_memory);
  expect_found(evicts<without_heavy_fence>(), race_on_memory);
  expect_found(releases<without_light_fence>(), race_on_memory);
  expect_found(releases<without_heavy_fence>(), race_on_memory);
}

TEST(pins, a_fetch_and_a_notice_need_their_fences) {
  const options how{.name = "pins, notice, flawed", .locations = names};
  expect_found(explore<notice<without_full_fence>>(how), overlooked);
  expect_found(explore<notice<atomics>>(how, flaw::looks_before_notice), overlooked);
}

TEST(pins, a_first_node_is_met) {
  const options how{.name = "pins, first node"};
  expect_sound(explore<first_node<atomics>>(how));
  expect_found(explore<first_node<atomics>>(how, flaw::node_late), race_on_memory);
  expect_found(explore<first_node<without_light_fence>>(how), race_on_memory);
  expect_found(explore<first_node<without_heavy_fence>>(how), race_on_memory);
  expect_found(explore<first_node<without_release>>(how), "data race");
  expect_found(explore<first_node<without_acquire>>(how), "data race");
  expect_found(explore<first_node<torn>>(how), "a node was lost");
}

TEST(pins, a_hint_shows_what_another_thread_has_brought) {
  const options how{.name = "pins, two readers"};
  expect_sound(explore<two_readers<atomics, 2>>(how));
  expect_found(explore<two_readers<without_release, 2>>(how), race_on_memory);
  expect_found(explore<two_readers<without_acquire, 2>>(how), race_on_memory);
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
