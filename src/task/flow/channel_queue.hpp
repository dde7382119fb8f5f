// SPDX-License-Identifier: Apache-2.0
#pragma once

// A channel: messages and threads that wait, behind one lock.
//
// Threads wait on one side at a time: receivers while there is no message, senders while there is
// no room. A waiter's record lies on its stack and holds a message: a sender's its own, a
// receiver's none. What each operation does under the lock:
//
//   send     receivers wait: the oldest gets the message in its record, and is woken
//            else there is room: the message goes behind the others
//            else the sender waits with the message in its record
//   receive  takes the oldest message; the oldest sender that waits puts its own behind the others,
//            and is woken. Without a message (capacity 0): takes it from that sender's record
//            else closed: none
//            else the receiver waits
//   close    wakes all. A sender finds its message still in its record, a receiver none: that says
//            to both that the channel was closed
//
// So messages are received in the order in which they were sent, whatever waits: a sender that
// waits has its place behind the messages before it, and none overtakes. Nothing of the program
// runs under the lock: messages are made before and moved out after.
//
// A thread that waits queues, leaves its stack and lets the lock go there; a waker takes it out
// under the lock and wakes it behind it (src/task/wait_list.hpp says why). So the first thread that
// goes on may destroy the channel.
//
// A wait may end by its time or a stop. Until such a thread has taken itself out its record stands
// among those of either side: wakers drop it, or wait for it before they let anybody go on.
//
// Templates over the state and the waiter, which tests/model explores.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kasuri/detail/flow/channel_core.hpp"
#include "platform/base/expect.hpp"
#include "sched/kernel/timed_word.hpp"
#include "sched/kernel/wait_queue.hpp"
#include "task/wait_list.hpp"

namespace kasuri::task::channel_queue {

/// What became of an operation.
enum class outcome : unsigned char {
  done,      // the message is sent, or received
  must_wait  // nothing has changed: there is no room, or no message
};

/// The sides. A sender's record holds its message.
enum class side : unsigned char { senders, receivers };

template <class Waiter>
side side_of(const Waiter& w) noexcept {
  return w.what == nullptr ? side::receivers : side::senders;
}

/// Whether no wait may end by its time.
template <class State>
bool only_wakers(const State& s) noexcept {
  return s.last == nullptr || !s.last->some_timed;
}

/// Whether threads of that side wait; where some waits may end by their time, it is not known.
template <class State>
bool known_to_wait(const State& s, side of) noexcept {
  return s.last != nullptr && !s.last->some_timed && side_of(*s.last) == of;
}

/// For task::let_leave and leave_list.
template <class Waiter>
auto* word_of(const Waiter& w) noexcept {
  return w.timed;
}

/// The oldest thread of that side that waits, taken out: it is the caller's to wake. Null: none.
template <class State>
auto take_waiter(State& s, side of) noexcept -> decltype(s.last) {
  if (only_wakers(s)) [[likely]]
    return known_to_wait(s, of) ? sched::take_first(s.last) : nullptr;
  decltype(s.last) taken = nullptr;
  const auto judged = [of](auto& w) {
    if (side_of(w) == of) return judge(w.timed);
    KASURI_EXPECT(cheap, w.timed != nullptr, "threads of both sides wait, %p among them",
                  static_cast<const void*>(&w));
    // Of the other side only those are left whose time is over.
    const bool is_late = w.timed->load(std::memory_order_relaxed) == timed_word::late;
    return is_late ? judge(w.timed) : verdict::keep;
  };
  sched::take_judged(s.last, 1, judged, [&taken](auto& w) { taken = &w; });
  return taken;
}

template <class State>
void expect_sound([[maybe_unused]] const State& s) noexcept {
  KASURI_EXPECT(cheap, !known_to_wait(s, side::receivers) || (s.count == 0 && !s.closed),
                "a thread waits for a message of a channel that holds %zu or is closed", s.count);
  KASURI_EXPECT(cheap, !known_to_wait(s, side::senders) || (s.count >= s.capacity && !s.closed),
                "a thread waits for room in a channel of %zu that holds %zu or is closed",
                s.capacity, s.count);
  KASURI_EXPECT(all, sched::length_of(s.last_message) == s.count, "%zu messages, counted %zu",
                sched::length_of(s.last_message), s.count);
}

// The caller holds the lock, and has looked at `closed` where it sends.

/// `woken` is the thread to wake once the lock is let go, or null.
template <class State, class Message, class Waiter>
outcome send(State& s, Message* m, Waiter*& woken) noexcept {
  expect_sound(s);
  woken = take_waiter(s, side::receivers);
  if (woken != nullptr) {
    woken->what = m;
    return outcome::done;
  }
  if (s.count >= s.capacity) return outcome::must_wait;
  sched::append(s.last_message, m);
  ++s.count;
  return outcome::done;
}

/// The same. `m` is the message; null: there is none.
template <class State, class Message, class Waiter>
outcome receive(State& s, Message*& m, Waiter*& woken) noexcept {
  expect_sound(s);
  woken = take_waiter(s, side::senders);
  m = sched::take_first(s.last_message);
  if (m != nullptr) --s.count;
  if (woken != nullptr) {
    Message* const theirs = woken->what;
    woken->what = nullptr;
    if (m == nullptr) {
      m = theirs;
    } else {
      sched::append(s.last_message, theirs);
      ++s.count;
    }
  }
  return m != nullptr ? outcome::done : outcome::must_wait;
}

/// All that wait, as a chain that ends with null: to wake once the lock is let go.
template <class State>
auto close(State& s) noexcept -> decltype(s.last) {
  expect_sound(s);
  s.closed = true;
  if (only_wakers(s)) return sched::take_all(s.last);
  decltype(s.last) taken = nullptr;
  sched::take_judged(
      s.last, SIZE_MAX, [](auto& w) { return judge(w.timed); },
      [&taken](auto& w) { sched::append(taken, &w); });
  return sched::take_all(taken);
}

/// Behind each of them that wakes somebody, before the lock is let go: see task::let_leave.
template <class A = real_atomics, class State>
void let_leave(State& s) noexcept {
  using waiter = std::remove_pointer_t<decltype(s.last)>;
  if (!only_wakers(s)) [[unlikely]]
    task::let_leave<A>(s, word_of<waiter>);
}

}  // namespace kasuri::task::channel_queue
