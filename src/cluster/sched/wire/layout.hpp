// SPDX-License-Identifier: Apache-2.0
#pragma once

// The layout of the scheduler's window, at each rank.
//
//   words     the outbox's state; the last caller; the inbox's state; for each slot of outbox and
//             inbox a word about who has read or filled it
//   outbox    slots of a page: what this rank offers, read by thieves
//   inbox     slots of a page: what was sent to this rank
//   records   joins that this rank waits for, filled by who ran the closure

#include <cstddef>
#include <cstdint>

#include "cluster/base/coherence.hpp"
#include "cluster/sched/wire/outbox_word.hpp"
#include "kasuri/global/detail/fork.hpp"

namespace kasuri::cluster::layout {

inline constexpr int inbox_slots = 32;
inline constexpr int records = 1024;

/// The head of a closure on its way.
struct parcel {
  std::uint64_t kind;        // the closure_kind's place: see modules.hpp
  std::uint32_t bytes;       // of the closure
  std::uint32_t record;      // of the join, at the rank that waits
  std::uint64_t generation;  // of that record
  std::uint64_t copy;        // of the slot: what is stored when it has been read
  double low, high;          // the ranks that it owns
  std::int32_t from;         // the rank that waits
  std::uint32_t filler;
  token seen;
  std::uint64_t task;  // under checks: its number
};
static_assert(sizeof(parcel) == 192);

inline constexpr std::size_t closure_at = 192;  // in a slot, behind the parcel
static_assert(sizeof(parcel) <= closure_at && closure_at % 64 == 0);
static_assert(closure_at + global::detail::largest_closure <= outbox_word::largest);

enum class outcome : std::uint32_t { value, exception };

/// The report of an end. Behind it the result; or the type's name and the text, each ending with a
/// zero.
struct report {
  outcome how;
  std::uint32_t bytes;  // that follow
  std::int32_t rank;    // where it ran
  std::uint32_t filler;
  token seen;
};
inline constexpr std::size_t result_at = 192;  // in a record's report
static_assert(sizeof(report) <= result_at);

inline constexpr std::size_t slot_bytes = 4096;
inline constexpr std::size_t record_bytes = 1024;
static_assert(result_at + global::detail::largest_result <= record_bytes);

// Offsets. Words that others change lie in lines of their own.
inline constexpr std::size_t outbox_state = 0;
inline constexpr std::size_t caller = 64;
inline constexpr std::size_t inbox_state = 128;
inline constexpr std::size_t copied = 192;  // a word for each slot of the outbox
inline constexpr std::size_t filled = copied + 8 * outbox_word::slots;  // ... of the inbox
inline constexpr std::size_t done = filled + 8 * inbox_slots;           // ... for each record
inline constexpr std::size_t outbox = (done + 8 * records + 4095) / 4096 * 4096;
inline constexpr std::size_t inbox = outbox + outbox_word::slots * slot_bytes;
inline constexpr std::size_t reports = inbox + inbox_slots * slot_bytes;
inline constexpr std::size_t bytes = reports + records * record_bytes;

inline constexpr std::size_t word_of(std::size_t array, std::uint64_t i) { return array + 8 * i; }
inline constexpr std::size_t outbox_slot(int i) {
  return outbox + static_cast<std::size_t>(i) * slot_bytes;
}
inline constexpr std::size_t inbox_slot(std::uint64_t i) {
  return inbox + i % inbox_slots * slot_bytes;
}
inline constexpr std::size_t report_of(std::uint64_t i) { return reports + i * record_bytes; }

}  // namespace kasuri::cluster::layout
