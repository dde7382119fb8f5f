// SPDX-License-Identifier: Apache-2.0
#pragma once

// The outbox of this rank: its oldest forks, in slots of its window, for thieves.
//
//   local --post()--> posted, in a slot --> gone: a thief has taken it by a swap of the word
//                            |
//                            +-- take_back() --> the caller's again
//
// The word (wire/outbox_word.hpp) says which slots are full, and only a compare-and-swap of it puts
// into a slot or takes out of it. An owner never waits for a thief nor a thief for an owner: the
// closure, and a token of memory, are put into the slot when it is offered; a thief that has taken
// it reads it, and posts the number of the copy behind that. Until this number has come the slot is
// not filled again. The owner learns of a theft when it looks at the word: note_demand().
//
// How far it is filled: `fewest_offers` at first and while nobody wants any; one more with each
// offer that is taken; one less with many in a row that are taken back.
//
// `lock_` guards all fields. Invariants: a slot with a holder has a posted offer, and so many slots
// have a holder as `in_outbox_` says; between two runs none has, and the word is empty (check()).

#include <array>
#include <cstddef>
#include <cstdint>

#include "cluster/sched/joins/joins.hpp"
#include "cluster/sched/base/site.hpp"
#include "cluster/sched/wire/outbox_word.hpp"
#include "kasuri/global/detail/fork.hpp"
#include "platform/thread/mutex.hpp"

namespace kasuri::cluster {

class outbox {
 public:
  using offer = global::detail::offer;
  using offer_state = global::detail::offer_state;
  using fork_chain = global::detail::fork_chain;

  /// The face that inlined code reads the outbox by: gets the word and the number of offers wanted.
  outbox(sched_site& at, joins& open, global::detail::spread_face& face);

  /// Offers the chain's oldest forks until no more are wanted. Forks that span several ranks are
  /// not for thieves.
  void post(fork_chain& chain);
  /// The offer was posted. True: no thief has taken it, and none can any more; its state is `as`.
  [[nodiscard]] bool take_back(offer& o, offer_state as);

  /// The invariant that does not hold, or null. Between two runs.
  [[nodiscard]] const char* check();

 private:
  struct slot_use {
    offer* holder = nullptr;  // the last that was put there, while it has not been joined
    std::uint64_t copy = 0;   // number of the last copy that was put there
    bool stolen = false;      // it was, and we know
  };

  [[nodiscard]] bool post_one(offer& o, const token& t);
  void fill(int slot, const layout::parcel& head, const void* closure);
  [[nodiscard]] int publish(outbox_word word, std::size_t bytes);
  [[nodiscard]] bool slot_is_free(int slot);
  [[nodiscard]] bool swap_out(const offer& o);
  void note_demand(outbox_word now);
  void note_unwanted();
  void ring_sleeper(int which);
  void want(std::uint32_t offers) noexcept;
  [[nodiscard]] slot_use& use_of(int slot);
  [[nodiscard]] int holders() const noexcept;

  sched_site& at_;
  joins& joins_;
  global::detail::spread_face& face_;
  platform::mutex lock_;  // guards the rest
  std::array<slot_use, outbox_word::slots> slots_;
  std::uint64_t copies_ = 0;
  int in_outbox_ = 0;         // as far as we know
  unsigned unwanted_ = 0;     // in a row taken back
  std::uint32_t wanted_ = 0;  // offers
};

}  // namespace kasuri::cluster
