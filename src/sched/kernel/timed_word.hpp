// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a thread that waits in a list goes on once, though its time and a waker may come together.
//
//            waker            it stands in the list no longer, and the waker makes it ready
//   waits ----------> woken
//     |
//     | timer                 the timer makes it ready; its entry stands in the list still
//     v        waker
//   late ------------> out    the waker has taken the entry out: the thread does not touch the list
//     |
//     | the thread itself     it is on its way to the lock of the list, to take its entry out
//     v
//   leaves
//
// The threads that change the word: the timer, under the lock of all timers; wakers, under the lock
// of the list; and the thread itself once it goes on.
//
// Exactly one of waker and timer gets it out of `waits`, and that one makes it ready.
//
// An object may be destroyed by the first thread that it lets go on, and a thread whose time is
// over has been let go on as well if a waker wanted it. So a waker that meets an entry in `late`
// takes it out, and one that meets an entry in `leaves` keeps it and lets nobody go on before that
// thread is out: for some instructions, as one waits for a spin lock.
//
// Rejected: the timer takes the entry out. It would need the lock of an object that may be gone, or
// hold wakers up while it is off its processor; and one slow list would delay all other timers.
//
// Templates over the word, which tests/model explores.

#include <atomic>
#include <cstdint>

#include "platform/base/expect.hpp"

namespace kasuri::sched::timed_word {

inline constexpr std::uint32_t waits = 0;
inline constexpr std::uint32_t woken = 1;
inline constexpr std::uint32_t late = 2;
inline constexpr std::uint32_t leaves = 3;
inline constexpr std::uint32_t out = 4;

/// For the timer: whether the thread is its to make ready.
template <class Word>
bool time_is_over(Word& word) noexcept {
  std::uint32_t seen = waits;
  return word.compare_exchange_strong(seen, late, std::memory_order_relaxed,
                                      std::memory_order_relaxed);
}

/// What a waker does with an entry that it meets.
enum class claim {
  won,      // takes it out of the list and makes the thread ready
  dropped,  // takes it out, and reads nothing of it any more
  kept      // leaves it where it is: see above
};

/// For a waker that has the lock of the list. What it reads of a dropped entry it has read before.
template <class Word>
claim claim_entry(Word& word) noexcept {
  std::uint32_t seen = waits;
  if (word.compare_exchange_strong(seen, woken, std::memory_order_relaxed,
                                   std::memory_order_relaxed))
    return claim::won;
  KASURI_EXPECT(cheap, seen == late || seen == leaves, "an entry of a list is in state %u", seen);
  // release: pairs with the acquire in begin_to_leave, behind which the entry is gone
  if (seen == late &&
      word.compare_exchange_strong(seen, out, std::memory_order_release, std::memory_order_relaxed))
    return claim::dropped;
  return claim::kept;
}

/// For the thread itself, when its time is over: whether its entry is in the list, so that it is to
/// take the lock and the entry out.
template <class Word>
bool begin_to_leave(Word& word) noexcept {
  std::uint32_t seen = late;
  // acquire: pairs with the release in claim_entry
  return word.compare_exchange_strong(seen, leaves, std::memory_order_acquire,
                                      std::memory_order_acquire);
}

// Where no object is destroyed under a thread that waits, because only the holder may do so (the
// mutex), all changes but the timer's happen under the lock of the list.

/// For a waker that has taken the entry out: whether the thread is its to make ready. If not, it
/// reads nothing of the entry any more.
template <class Word>
bool claim_or_drop(Word& word) noexcept {
  std::uint32_t seen = waits;
  if (word.compare_exchange_strong(seen, woken, std::memory_order_relaxed,
                                   std::memory_order_relaxed))
    return true;
  word.store(out, std::memory_order_relaxed);
  return false;
}

/// For the thread itself, under the lock: whether its entry is in the list.
template <class Word>
bool stands_in_list(const Word& word) noexcept {
  return word.load(std::memory_order_relaxed) == late;
}

}  // namespace kasuri::sched::timed_word
