// SPDX-License-Identifier: Apache-2.0
#pragma once

// The inbox: a ring of slots in the window of each rank, for closures that others send to it. Its
// word counts what was put in (high half) and taken out (low half), both modulo 2^32; so a number
// of the high half is a ticket for the slot of that number.
//
//   sender    1. reserve(): raises the high half: the ticket    2. fill(): puts the closure,
//                                                                  then stores ticket + 1 in the
//                                                                  slot's word, and rings
//   receiver  1. take(): sees ticket + 1 in the word of the oldest slot, and copies the closure
//             2. raises the low half: the slot may be filled again
//
// A slot that was reserved is filled, with an empty parcel where there turned out to be nothing to
// send: the receiver waits for the slots in their order. One thread of the receiver at a time
// takes. Invariant: 0 <= put in - taken out <= inbox_slots.

#include <cstdint>
#include <optional>

#include "cluster/sched/base/site.hpp"
#include "cluster/sched/base/travelled.hpp"
#include "cluster/sched/wire/layout.hpp"

namespace kasuri::cluster {

class inbox {
 public:
  inbox(sched_site& at, travelled_store& store) noexcept : at_(at), store_(store) {}

  /// A ticket for a slot of rank `to`; none: its inbox is full.
  [[nodiscard]] std::optional<std::uint64_t> reserve(int to);
  /// Fills the slot that was reserved; a parcel of no bytes is empty.
  void fill(int to, std::uint64_t ticket, const layout::parcel& head, const void* closure);

  /// The oldest closure that was sent to this rank, or null.
  [[nodiscard]] travelled* take();
  /// Whether the oldest slot that was reserved here is full.
  [[nodiscard]] bool has_mail() const;

 private:
  void free_oldest(std::uint64_t bits);

  sched_site& at_;
  travelled_store& store_;
};

}  // namespace kasuri::cluster
