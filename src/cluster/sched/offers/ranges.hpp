// SPDX-License-Identifier: Apache-2.0
#pragma once

// Almost deterministic work stealing over ranks (Shiina and Taura, SC '19, section 3): a fork
// divides the ranks of its task between its two halves in proportion to their work; the second half
// is sent to where its part begins.
//
// The ranks of a task are a part [low, high) of the line [0, size) of all ranks, in its chain and
// in each of its offers; a part within one rank is written as an empty one, since it is a matter of
// that rank alone. Invariant: 0 <= low <= high <= size.
//
// Whoever knows where a fork should run sends it the same way.

#include "cluster/sched/joins/joins.hpp"
#include "cluster/sched/offers/inbox.hpp"
#include "cluster/sched/base/site.hpp"
#include "kasuri/global/detail/fork.hpp"

namespace kasuri::cluster {

class ranges {
 public:
  using offer = global::detail::offer;
  using fork_chain = global::detail::fork_chain;

  ranges(sched_site& at, joins& open, inbox& letters) noexcept
      : at_(at), joins_(open), inbox_(letters) {}

  /// See global::detail::second_first.
  [[nodiscard]] bool second_first(fork_chain& chain, double first_work, double second_work) const;
  /// Divides the chain's ranks between the halves of its newest fork, of which the second is
  /// offered, and sends that one off if its part begins at another rank.
  void divide(fork_chain& chain, double first_work, double second_work);
  /// Sends the chain's newest fork, which owns no ranks, to another rank, if that has room.
  void send_newest(fork_chain& chain, int to);

 private:
  void send_and_count(offer& o, int to);
  [[nodiscard]] bool send(offer& o, int to);
  [[nodiscard]] bool give_away(offer& o, layout::parcel& head);
  [[nodiscard]] double middle_of(const fork_chain& chain, double first_work,
                                 double second_work) const;

  sched_site& at_;
  joins& joins_;
  inbox& inbox_;
};

}  // namespace kasuri::cluster
