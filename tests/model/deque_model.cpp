// SPDX-License-Identifier: Apache-2.0
// The deque of the scheduler (src/sched/kernel/deque.hpp), the very source, with an owner and one
// or two thieves: every frame is taken once, whoever takes it may read what the pusher wrote into
// it, and neither holds any more when a fence is taken away.
#include "sched/kernel/deque.hpp"
#include "sched/kernel/handover.hpp"

#include <gtest/gtest.h>

#include "explorer/explore.hpp"
#include "flawed_atomics.hpp"

namespace kasuri::model {
namespace {

constexpr detail::frame_type some_type{nullptr, false, "frame of the model"};

struct item : detail::frame {
  item() noexcept { type = &some_type; }
  plain<int> payload{0};  // written before the push, read by the taker
  int taken = 0;          // for the final check
  bool taken_by_owner = false;
};

// What each thread does with the deque, a letter for each call.
//   owner:  u push a structured frame       o pop the newest of those by name, as its join does
//           d push a detached frame         p pop whatever is newest, as the worker loop does
//           a publish all                   w start again at the first slot
//           n pop and put back, as a wait that finds another's frame
//           t publish what a suspension does: nobody pops by name any more what was pushed
//           x push a detached frame and take it back at once, to send it elsewhere
//           l the same, and look at the frame before that
//   thief:  s steal   k ask for work   r rescue
//           g ask for work to be given to it   b look for the answer   c accept none any more
//           (the first thief only: there is one answer)
struct script {
  std::string owner;
  std::vector<std::string> thieves;

  std::string text() const {
    std::string result = "owner " + owner;
    for (const std::string& t : thieves) result += ", thief " + t;
    return result;
  }
};

template <class A, int count>
class deque_program {
 public:
  static constexpr int threads = count;
  explicit deque_program(const script& what)
      : script_(what), frees_(what.owner.find('l') != std::string::npos) {}

  void run(int thread) {
    if (thread == 0) {
      for (const char call : script_.owner) call_owner(call);
    } else {
      for (const char call : script_.thieves[static_cast<std::size_t>(thread) - 1]) {
        call_thief(call);
      }
    }
  }

  void check() {
    if (detail::frame* f = answer_.close()) take(f);
    while (detail::frame* f = queue_.pop()) take(f);
    for (int i = 0; i < pushed_; ++i) {
      require(items_[i].taken <= 1, "a frame was taken twice");
      require(items_[i].taken >= 1, "a frame was lost");
    }
  }

 private:
  using deque = sched::deque<A>;
  static constexpr std::size_t capacity = 3;
  static constexpr int owner_number = 5;

  void call_owner(char call) {
    switch (call) {
      case 'u':
        return push(0);
      case 'd':
        queue_.publish_structured();
        return push(detail::slot_detached);
      case 'o':
        return pop_by_name();
      case 'p':
        if (detail::frame* f = queue_.pop()) own(f);
        return;
      case 'a':
        return queue_.publish_all();
      case 'w':
        return queue_.rewind();
      case 'n':
        if (queue_.pop_private() != nullptr) queue_.unpop();
        return;
      case 't':
        queue_.publish_structured();
        suspended_ = depth_;
        return;
      case 'x':
        return take_back_at_once(false);
      case 'l':
        return take_back_at_once(true);
    }
  }

  item& fill() {
    item& fresh = items_[pushed_++];
    fresh.payload = pushed_;
    return fresh;
  }

  void take_back_at_once(bool looks_before) {
    item& fresh = fill();
    typename deque::slot* at = nullptr;
    static_cast<void>(face_.push(&fresh, at, detail::slot_detached));
    if (looks_before) require(fresh.payload == pushed_, "a frame's content is wrong");
    if (detail::frame* f = queue_.unpush(at)) own(f);
  }

  void push(std::uintptr_t flags) {
    item& fresh = fill();
    typename deque::slot* at = nullptr;
    if (face_.push(&fresh, at, flags)) answer(fresh, at);
    if (flags == 0) structured_[depth_++] = {&fresh, at};
  }

  void answer(item& fresh, typename deque::slot* at) {
    if (queue_.refused(at)) {
      queue_.drop_refused();
      return own(&fresh);
    }
    if (!queue_.asked()) return;
    const bool awaited = queue_.asker() != nullptr;
    queue_.publish((queue_.private_size() + 1) / 2, [this, awaited](detail::frame* f) {
      return awaited && answer_.give(owner_number, f);
    });
    queue_.answer();
  }

  void pop_by_name() {
    const pushed newest = structured_[--depth_];
    if (newest.it->taken_by_owner) return;
    using popped = typename detail::deque_face<A>::popped;
    const popped what = face_.pop(newest.it, newest.at);
    if (depth_ < suspended_) {
      require(what == popped::not_lowered, "a frame was popped by name after a suspension");
      suspended_ = depth_;
    }
    if (what == popped::mine || queue_.reclaim(newest.it, newest.at, what == popped::lowered)) {
      return own(newest.it);
    }
    // Stolen, or left below detached frames: the join runs what there is meanwhile.
    while (!newest.it->taken_by_owner) {
      detail::frame* f = queue_.pop();
      if (f == nullptr) return;
      own(f);
    }
  }

  void call_thief(char call) {
    detail::frame* f = nullptr;
    switch (call) {
      case 's':
        if (queue_.steal(f) == sched::steal_result::taken) take(f);
        return;
      case 'k':
        queue_.ask();
        return;
      case 'r':
        queue_.rescue();
        return;
      case 'g':
        if (answer_.is_open()) return;
        answer_.open(owner_number);
        return queue_.ask_for(&answer_);
      case 'b':
        if (answer_.is_open() && answer_.answered() && (f = answer_.close()) != nullptr) take(f);
        return;
      case 'c':
        if ((f = answer_.close()) != nullptr) take(f);
        return;
    }
  }

  void own(detail::frame* f) {
    static_cast<item*>(f)->taken_by_owner = true;
    take(f);
  }

  void take(detail::frame* f) {
    item& it = *static_cast<item*>(f);
    require(it.payload == static_cast<int>(&it - items_) + 1, "a frame's content is wrong");
    if (frees_) it.payload = 0;  // it has run, and its memory is another's
    ++it.taken;
  }

  struct pushed {
    item* it = nullptr;
    typename deque::slot* at = nullptr;
  };

  const script& script_;
  const bool frees_;
  detail::deque_face<A> face_;
  typename deque::slot words_[capacity + 2];
  deque queue_{face_, words_, capacity, capacity};
  sched::handover<A> answer_;
  item items_[6];
  int pushed_ = 0;
  pushed structured_[6];
  int depth_ = 0;
  int suspended_ = 0;  // so many of these were pushed before a suspension
};

const std::vector<std::string> names{"top",     "limit",   "asker",   "sentinel",
                                     "slot[0]", "slot[1]", "slot[2]", "scratch",
                                     "tail",    "split",   "lock",    "answer"};

template <class A>
report explore_script(const script& what) {
  const options how{.name = what.text(), .locations = names};
  return what.thieves.size() == 1 ? explore<deque_program<A, 2>>(how, std::cref(what))
                                  : explore<deque_program<A, 3>>(how, std::cref(what));
}

void expect_sound(const script& what) {
  const report result = explore_script<atomics>(what);
  EXPECT_TRUE(result.complete && !result.failed);
  std::printf("%s\n", result.text().c_str());
}

template <class A>
void expect_flawed(const script& what, const std::string& how) {
  const report result = explore_script<A>(what);
  ASSERT_TRUE(result.failed) << result.text();
  EXPECT_EQ(result.failed->what, how) << result.text();
}

TEST(deque, one_thief_steals_what_was_published) {
  expect_sound({"uuaoo", {"ss"}});
  expect_sound({"uauaoo", {"ss"}});
}

TEST(deque, the_owner_gives_a_frame_to_the_thief_that_asked) {
  expect_sound({"uo", {"gbc"}});
  expect_sound({"uuoo", {"gbs"}});
  expect_sound({"uuouoo", {"gb"}});
  expect_sound({"uuoo", {"gc", "s"}});
  expect_sound({"uuoo", {"gb", "rs"}});
  expect_sound({"uudop", {"gb", "s"}});
}

TEST(deque, the_owner_answers_a_request) {
  expect_sound({"uuoo", {"kss"}});
  expect_sound({"uouuoo", {"kss"}});
}

TEST(deque, a_thief_rescues) {
  expect_sound({"uuoo", {"rs"}});
  expect_sound({"uouo", {"rsrs"}});
  expect_sound({"uuoo", {"rrss"}});
}

TEST(deque, two_thieves) {
  expect_sound({"uuaoo", {"s", "s"}});
  expect_sound({"uuoo", {"rs", "s"}});
  expect_sound({"uo", {"rs", "r"}});
}

TEST(deque, detached_frames) {
  expect_sound({"ddpp", {"rs"}});
  expect_sound({"udop", {"rs"}});
  expect_sound({"udop", {"ss"}});
  // The newest frame is structured and private; a rescuing thief has tagged it and gives up later.
  expect_sound({"uoudo", {"r"}});
  // The thief reads a top that a pop has stored.
  expect_sound({"uoudp", {"s", "r"}});
  // The second detached frame finds that what lies below is public already.
  expect_sound({"udpdpo", {"rs"}});
  expect_sound({"uuddoop", {"s"}});
  expect_sound({"udpdop", {"r", "s"}});
}

TEST(deque, the_owner_starts_again_at_the_first_slot) {
  expect_sound({"uaowuo", {"ss"}});
  expect_sound({"uaowuao", {"ss"}});
}

TEST(deque, the_array_is_full) { expect_sound({"uuuuoooo", {"rs"}}); }

TEST(deque, a_wait_puts_back_what_is_not_its_own) {
  expect_sound({"unto", {"r"}});
  expect_sound({"unto", {"rs"}});
  expect_sound({"undp", {"rs"}});
  expect_sound({"undop", {"r"}});
}

TEST(deque, what_was_just_pushed_is_taken_back_to_be_sent_elsewhere) {
  expect_sound({"x", {"rs"}});
  expect_sound({"dxp", {"rs"}});
  expect_sound({"xx", {"rs", "s"}});
  expect_sound({"ddxpp", {"rrs"}});
}

TEST(deque, a_thief_may_have_freed_what_was_just_pushed) {
  expect_flawed<atomics>({"l", {"rs"}}, "data race on plain data 0");
}

TEST(deque, needs_every_fence) {
  expect_flawed<without_light_fence>({"uo", {"rs"}}, "a frame was taken twice");
  expect_flawed<without_heavy_fence>({"uo", {"rs"}}, "a frame was taken twice");
  expect_flawed<without_full_fence>({"uuaoo", {"ss"}}, "a frame was taken twice");
  expect_flawed<without_orders>({"uuaoo", {"ss"}}, "data race on plain data 0");
}

}  // namespace
}  // namespace kasuri::model
