// SPDX-License-Identifier: Apache-2.0
// The ring of threads that may go on (src/sched/kernel/ready_ring.hpp), the very source with two
// slots: its owner puts and takes, others take. Not covered is the acquire of head in put, which
// keeps a taker from reading the slot's next frame: the explorer has no load that reads a later
// store.
#include "sched/kernel/ready_ring.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cargo.hpp"
#include "expectations.hpp"
#include "flawed_atomics.hpp"

namespace kasuri::model {
namespace {

// What each thread does with the ring, a letter for each call.
//   p   put the next frame; the owner runs it itself when the ring is full
//   t   take
// The first thread is the owner. A script in which another one puts as well is misuse.
using script = std::vector<std::string>;

template <class A, int count>
class ring_program {
 public:
  static constexpr int threads = count;
  explicit ring_program(const script& what) : script_(what) {}

  void run(int thread) {
    int last = -1;
    for (const char call : script_[static_cast<std::size_t>(thread)]) {
      if (call == 'p') put(thread);
      if (call == 't') take(last);
    }
  }

  void check() {
    while (!ring_.empty()) {
      int none_before = -1;
      take(none_before);
    }
    require(ring_.take() == nullptr, "an empty ring gives a frame");
    for (int i = 0; i != most; ++i) {
      const bool is_made = i < first_of_others ? i < made_[0] : i - first_of_others < made_[1];
      require(cargo_.is_taken(i) == is_made, lost_frame);
    }
  }

 private:
  static constexpr int most = 6;
  static constexpr int first_of_others = 4;  // frames that a thread puts which is not the owner

  void put(int thread) {
    const int mine = thread == 0 ? 0 : 1;
    const int i = (mine == 0 ? 0 : first_of_others) + made_[mine]++;
    detail::frame* const f = cargo_.load(i);
    if (!ring_.put(f)) cargo_.take(f);
  }

  void take(int& last) {
    detail::frame* const f = ring_.take();
    if (f == nullptr) return;
    const int i = cargo_.take(f);
    require(i > last, "a frame overtakes an older one");
    last = i;
  }

  const script& script_;
  sched::ready_ring<A, 2> ring_;
  cargo<most> cargo_;
  int made_[2] = {0, 0};
};

template <class A>
report with(const script& what) {
  options how{.name = "ready ring", .locations = {"head", "tail", "slot[0]", "slot[1]"}};
  for (const std::string& s : what) how.name += ' ' + s;
  return what.size() == 2 ? explore<ring_program<A, 2>>(how, std::cref(what))
                          : explore<ring_program<A, 3>>(how, std::cref(what));
}

TEST(ready_ring, each_frame_is_taken_once_and_in_order) {
  expect_sound(with<atomics>({"pppt", "tt"}));
  expect_sound(with<atomics>({"ppptp", "tt"}));
  expect_sound(with<atomics>({"ppt", "t", "t"}));
  expect_sound(with<atomics>({"ppp", "tt", "t"}));
}

TEST(ready_ring, needs_its_orders) {
  expect_found(with<without_orders>({"pp", "tt"}), "data race");
  expect_found(with<without_release>({"pp", "tt"}), "data race");
  expect_found(with<without_acquire>({"pp", "tt"}), "data race");
}

TEST(ready_ring, needs_a_locked_instruction) {
  expect_found(with<torn>({"pp", "t", "t"}), taken_twice);
}

TEST(ready_ring, only_the_owner_puts) { expect_found(with<atomics>({"p", "p"}), lost_frame); }

}  // namespace
}  // namespace kasuri::model
