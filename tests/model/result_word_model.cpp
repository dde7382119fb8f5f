// SPDX-License-Identifier: Apache-2.0
// The word of a result that several wait for: the very source of src/sched/kernel/result_word.hpp.
// A suspension is a wait for a flag. The result and the links between entries are plain data, and a
// thread that goes on, or a callback that was called, writes its link: it may be gone.
#include "sched/kernel/result_word.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expectations.hpp"
#include "flawed_atomics.hpp"

namespace kasuri::model {
namespace {

namespace word = sched::result_word;

constexpr auto relaxed = std::memory_order_relaxed;

// What is done wrong by hand.
enum class flaw {
  none,
  links_late,       // an entry is put in, and linked then
  reads_link_late,  // the thread that ends the result wakes an entry, and reads its link then
  ends_early        // the word says that the result is there before it is
};

// What each thread does.
//   e end the result    w wait for it    c leave a callback
using calls = std::string;

template <class A, int many>
class result_program {
 public:
  static constexpr int threads = many;
  explicit result_program(const calls& of, flaw what) : calls_(of), what_(what) {}

  void run(int thread) {
    const char call = calls_[static_cast<std::size_t>(thread)];
    if (call == 'e') end();
    if (call == 'w') wait(thread);
    if (call == 'c') leave(thread);
  }

  void check() {
    require(word_.load(relaxed) == detail::join_done, "the word does not say that it is there");
    for (int i = 0; i != many; ++i)
      require(calls_[static_cast<std::size_t>(i)] != 'c' || called_[i] == 1,
              "a callback was not called once");
  }

 private:
  static std::uintptr_t entry_of(int thread) { return 16 + 8 * static_cast<unsigned>(thread); }
  static int thread_of(std::uintptr_t entry) {
    return static_cast<int>(((entry & ~word::callback_tag) - 16) / 8);
  }

  void end() {
    if (what_ != flaw::ends_early) result_ = 7;
    for (std::uintptr_t at = word::end(word_, detail::join_done); at != 0;) {
      const std::uintptr_t entry = at;
      const int thread = thread_of(entry);
      if (what_ != flaw::reads_link_late) at = link_[thread];
      if (word::is_callback(entry))
        call(thread);
      else
        asleep_[thread].store(0, std::memory_order_release);
      if (what_ == flaw::reads_link_late) at = link_[thread];
    }
    if (what_ == flaw::ends_early) result_ = 7;
  }

  bool put(int thread, std::uintptr_t entry) {
    if (what_ != flaw::links_late)
      return word::put(word_, entry, [&](std::uintptr_t before) { link_[thread] = before; });
    std::uintptr_t under = 0;
    if (!word::put(word_, entry, [&](std::uintptr_t before) { under = before; })) return false;
    link_[thread] = under;
    return true;
  }

  void wait(int thread) {
    asleep_[thread].store(1, relaxed);
    if (put(thread, entry_of(thread)))
      while (asleep_[thread].load(std::memory_order_acquire) == 1) atomics::pause();
    require(result_ == 7, "a thread went on without the result");
    link_[thread] = 0;  // its stack has other things there now
  }

  void leave(int thread) {
    if (!put(thread, entry_of(thread) | word::callback_tag)) call(thread);
  }
  void call(int thread) {
    require(result_ == 7, "a callback was called without the result");
    link_[thread] = 0;  // its record may be gone
    ++called_[thread];
  }

  const calls& calls_;
  const flaw what_;
  typename A::template atomic<std::uintptr_t> word_{detail::join_empty};
  atomic<std::uint32_t> asleep_[many];
  plain<int> result_{0};
  plain<std::uintptr_t> link_[many];
  int called_[many] = {};
};

template <class A>
report with(const calls& of, flaw what = flaw::none) {
  const options how{.name = "result word " + of};
  if (of.size() == 2) return explore<result_program<A, 2>>(how, std::cref(of), what);
  if (of.size() == 3) return explore<result_program<A, 3>>(how, std::cref(of), what);
  return explore<result_program<A, 4>>(how, std::cref(of), what);
}

TEST(result_word, all_that_wait_go_on) {
  expect_sound(with<atomics>("ew"));
  expect_sound(with<atomics>("eww"));
  expect_sound(with<atomics>("ewww"));
}

TEST(result_word, callbacks_are_called_once) {
  expect_sound(with<atomics>("ec"));
  expect_sound(with<atomics>("ecc"));
  expect_sound(with<atomics>("eccc"));
}

TEST(result_word, threads_and_callbacks_hang_together) {
  expect_sound(with<atomics>("ewc"));
  expect_sound(with<atomics>("ewcw"));
}

TEST(result_word, needs_its_orders) {
  expect_found(with<without_orders>("ew"), "data race");
  expect_found(with<without_acquire>("ew"), "data race");
  expect_found(with<without_release>("ew"), "data race");
  expect_found(with<without_acquire>("ec"), "data race");
  expect_found(with<without_release>("ec"), "data race");
}

TEST(result_word, needs_its_locked_instructions) {
  expect_found(with<torn>("ew"), waits_for_ever);
  expect_found(with<torn>("eww"), waits_for_ever);
}

TEST(result_word, an_entry_is_linked_before_it_is_put_in) {
  expect_found(with<atomics>("ew", flaw::links_late), "data race");
}

TEST(result_word, a_link_is_read_before_its_entry_is_told) {
  expect_found(with<atomics>("ew", flaw::reads_link_late), "data race");
}

TEST(result_word, the_result_is_there_before_the_word_says_so) {
  expect_found(with<atomics>("ew", flaw::ends_early), "data race");
}

}  // namespace
}  // namespace kasuri::model
