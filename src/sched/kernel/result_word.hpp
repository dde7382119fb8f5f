// SPDX-License-Identifier: Apache-2.0
#pragma once

// The join word of a result (a future's task, a promise): it holds all that waits for the result.
//
//   join_empty -> entry -> entry -> ...   each entry is put in front of those before it
//   any of these -> join_done | join_threw   the end takes all entries out in one exchange
//
// An entry is a suspended thread, or a callback, whose address has the lowest bit set. Each has a
// `next`: the word as it was before. An entry belongs to its thread until the compare-exchange
// that puts it in, and to the thread that ends the result after the exchange. Nobody takes an entry
// out alone, so the list needs no count against reuse: an entry may be freed once it is told.
//
// No lost wake-up: the end and an entry change the same word. The entry that comes later sees the
// code, and does not wait.
//
// Templates over the word, which tests/model explores.

#include <atomic>
#include <cstdint>

#include "kasuri/detail/frame.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::sched::result_word {

inline constexpr std::uintptr_t callback_tag = 1;

/// Whether the word says that the result is there.
constexpr bool is_end(std::uintptr_t word) noexcept {
  return word == detail::join_done || word == detail::join_threw;
}

constexpr bool is_callback(std::uintptr_t entry) noexcept { return (entry & callback_tag) != 0; }

/// Puts `entry` in, whose next is set by set_next(what stands there already). False: the result is
/// there, the caller sees it, and the entry is the caller's again.
template <class Word, class SetNext>
bool put(Word& word, std::uintptr_t entry, SetNext set_next) noexcept {
  KASURI_EXPECT(cheap, entry > detail::join_last_code, "entry %zu is a code",
                static_cast<std::size_t>(entry));
  // acquire: pairs with the exchange in end: the result is there
  std::uintptr_t seen = word.load(std::memory_order_acquire);
  while (!is_end(seen)) {
    set_next(seen);
    // acq_rel: pairs with the exchange in end, which sees the entry, or whose result is seen here
    if (word.compare_exchange_weak(seen, entry, std::memory_order_acq_rel,
                                   std::memory_order_acquire))
      return true;
  }
  return false;
}

/// The result is there, or the exception that stands for it: the code says which. Returns the
/// entries, newest first; 0: there are none.
template <class Word>
std::uintptr_t end(Word& word, std::uintptr_t code) noexcept {
  KASURI_EXPECT(cheap, is_end(code), "a result ends with %zu", static_cast<std::size_t>(code));
  // acq_rel: pairs with the compare-exchange and the loads in put, and with future_state::ready
  const std::uintptr_t entries = word.exchange(code, std::memory_order_acq_rel);
  KASURI_EXPECT(cheap, entries == detail::join_empty || entries > detail::join_last_code,
                "a result ends with %zu, its word is %zu already", static_cast<std::size_t>(code),
                static_cast<std::size_t>(entries));
  return entries;
}

}  // namespace kasuri::sched::result_word
