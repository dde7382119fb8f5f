// SPDX-License-Identifier: Apache-2.0
#pragma once

// Looking into the outboxes of other ranks.
//
// A steal takes three trips: a read of the victim's outbox word, a compare-and-swap that takes the
// oldest slot (and thereby validates), a read of the slot. The thief posts the number of the copy
// when it has read the slot, so that the victim may fill it again.
//
// Lifelines (Saraswat et al., "Lifeline-based Global Load Balancing", PPoPP 2011). A rank that
// finds nothing leaves its bit in the words of the ranks at distances of powers of two, and naps. A
// rank that puts something into its outbox takes a bit out, leaves its number as the call of the
// rank that sleeps, and rings it. The bit lies in the word that says whether there is anything, so
// that no offer can slip through between.
//
// One thread at a time looks; the fields are its own.

#include <cstdint>
#include <random>
#include <vector>

#include "cluster/sched/base/site.hpp"
#include "cluster/sched/base/travelled.hpp"
#include "cluster/sched/wire/outbox_word.hpp"

namespace kasuri::cluster {

class thief {
 public:
  thief(sched_site& at, travelled_store& store);

  /// Takes a closure from a rank chosen at random: half of the times one of this host. Null: it has
  /// none. `since`: when the look for it began.
  [[nodiscard]] travelled* probe_any(std::uint64_t since);
  /// Takes a closure from a rank at one of the distances, or leaves this rank's bit at all of them.
  [[nodiscard]] travelled* ask_lifelines();
  /// The same of one rank, which has called; of a rank at another distance nothing but a look.
  [[nodiscard]] travelled* ask_caller(int caller);

  /// Whether a rank has called since the last take_call().
  [[nodiscard]] bool is_called() const { return at_.own(layout::caller) != 0; }
  /// The rank that has called this one, for which it looks next; -1: none.
  [[nodiscard]] int take_call();

 private:
  [[nodiscard]] travelled* probe(int victim, std::uint64_t since);
  [[nodiscard]] travelled* ask_lifeline(int i, std::uint64_t since);
  [[nodiscard]] travelled* take(int victim, int slot, std::size_t bytes, std::uint64_t trips,
                                std::uint64_t since);
  [[nodiscard]] outbox_word swap(int victim, outbox_word word, outbox_word next);
  [[nodiscard]] int random_victim();
  void count_failure(bool lost_race);

  sched_site& at_;
  travelled_store& store_;
  std::vector<int> near_;  // other ranks of the host
  int lifelines_ = 0;
  std::mt19937_64 random_;
};

}  // namespace kasuri::cluster
