// SPDX-License-Identifier: Apache-2.0
#pragma once

// Write notices, and how they get to the ranks that must know them.
//
// A notice says: rank s wrote bytes [begin, end), and they are at home now; the notices of a rank
// are numbered 1, 2, 3, ... Each rank has a log, a ring in its window part, of all notices it
// knows: its own, and those it has read in the logs of others. A release gives out a position in
// the log of its rank; an acquire reads that log up to there from where the last one stopped.
//
// Why this is complete: say a log holds notice n of s whenever it holds a later one of s. A rank
// enters its own in order. Of others it enters, in the order it reads them, those with numbers
// above the highest it has entered, so that each is entered once, and by induction none is left
// out. So a rank that has read a log up to a position knows all that its rank knew then: what
// happened before the release.
//
// At the two ends of a run no log is read. Rank 0 has learned, by the joins, what was written in
// the run; it tells all others what its log got in it (written_in_run(), learn_at_end()). When all
// begin the next one, each tells what it has entered of its own and rank 0 may not know
// (untold()): what was written behind its last report, or by threads that no run knows of. These
// are merged on their way (told_to_all.hpp). So all ranks know all that any of them does, and all
// logs and all numbers go on from the same ones, the highest (learn_at_begin()): nobody reads what
// is below, and nobody needs to ask whether he has. What is learned so is not entered in the log,
// since it is known to all by the time that it could be passed on.
//
// Why it is bounded: a ring has room for so many. A reader that comes too late, or finds that
// entries were overwritten while it read, must suppose that everything was written, and enters that
// into its own log as a notice of its own: those who read there suppose it too. It may leave
// numbers of others out of its log thereby; a rank that reads over the gap has read the notice for
// everything before.
//
// What is told to all is bounded likewise: more than that becomes a notice for everything.
//
// Two locks, outer to inner: `learning_` of those who read the logs of others, one at a time, held
// while blocks are locked to drop what notices name; `entering_` of those who append to the log.
// Fields: known_ and all_known_ under learning_; own_number_ and reported_ under entering_;
// read_to_ is raised under learning_, behind all that was learned up to there, and looked at
// without; so is base_, under both.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cluster/base/coherence.hpp"
#include "cluster/memory/base/control_window.hpp"
#include "cluster/memory/base/counters.hpp"
#include "cluster/memory/base/options.hpp"
#include "cluster/memory/base/requests.hpp"
#include "cluster/memory/notices/notice_ring.hpp"
#include "cluster/memory/notices/told_to_all.hpp"
#include "cluster/transport/network_lock.hpp"
#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

class notice_log {
 public:
  notice_log(transport& network, const memory_options& options, const control_window& where,
             live_counts& counts);

  /// The log as far as it goes now: what a release gives out.
  [[nodiscard]] token position() const noexcept;

  /// Enters a notice for each range, all of them at home by now, or one for everything.
  void publish(std::span<const global_range> told);

  /// Calls apply(n) for each notice that the token stands for and that is not known here, and
  /// enters it in the log; for one of everything where the log does not have them any more.
  void learn(const token& t, const std::function<void(const notice&)>& apply);

  /// The token goes with a report, so that rank 0 learns of it before the end of the run.
  void reported(const token& t);

  // At the ends of a run, while nobody learns by tokens. At its end, at rank 0 and at the others:
  [[nodiscard]] told_to_all written_in_run();
  void learn_at_end(const told_to_all& told, const std::function<void(const notice&)>& apply);
  // At its begin, at all:
  [[nodiscard]] told_to_all untold();
  void learn_at_begin(const told_to_all& told, const std::function<void(const notice&)>& apply);
  /// So many notices are told to all at most.
  [[nodiscard]] std::size_t most_told() const noexcept { return most_told_; }
  /// All ranks know what is in any log up to here.
  [[nodiscard]] std::uint64_t known_to_all() const noexcept {
    return base_.load(std::memory_order_acquire);  // pairs with learn_at_begin()
  }

 private:
  [[nodiscard]] std::uint64_t known_of(int rank) const noexcept {
    return std::max(known_[static_cast<std::size_t>(rank)], all_known_);
  }
  void learn_told(const std::vector<notice>& told, const std::function<void(const notice&)>& apply);
  void enter_learned(std::vector<notice>& fresh);
  [[nodiscard]] notice own_notice(std::uint64_t begin, std::uint64_t end) noexcept {
    return notice::make(rank_, ++own_number_, begin, end);
  }

  const memory_options& options_;
  const int rank_;
  const std::size_t most_told_;
  live_counts& counts_;
  notice_ring ring_;
  network_lock learning_;
  network_lock entering_;
  std::uint64_t own_number_ = 0;                           // of the last notice of this rank
  std::uint64_t reported_ = 0;                             // rank 0 learns of the log up to here
  std::atomic<std::uint64_t> base_{0};                     // see known_to_all()
  std::uint64_t all_known_ = 0;                            // last number then, of any rank
  std::vector<std::uint64_t> known_;                       // last number since that is known
  std::unique_ptr<std::atomic<std::uint64_t>[]> read_to_;  // positions in the logs of others
};

}  // namespace kasuri::cluster
