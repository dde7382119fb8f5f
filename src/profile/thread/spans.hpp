// SPDX-License-Identifier: Apache-2.0
// The code of an OS thread outside of regions and tasks as a strand. Whoever measures what the
// thread calls into takes over from it and gives the path back. The path of the thread that loaded
// the library is the program's: at the end its length is the program's span.
#pragma once

#include <atomic>   // for atomic
#include <cstdint>  // for uint64_t

#include "profile/thread/strand.hpp"

namespace kasuri::profile {

/// Its owner calls; the watcher looks.
class outer_strand {
 public:
  /// It begins to run at `now`, with nothing before it.
  void begin(std::uint64_t now) noexcept;

  /// The thread enters a region or the pool at `now`. What it does there goes on from the path
  /// returned. While it is away already, the path is the one up to there.
  path leave(std::uint64_t now) noexcept;
  /// It is back at `now`, behind all that `reached` leads through.
  void come_back(const path& reached, std::uint64_t now) noexcept;
  /// Whether it has left and not come back. The owner.
  bool away() const noexcept { return !strand_.runs(); }

  /// The owner, which runs it: what it ran until `now` is in the sums from here on.
  void settle(std::uint64_t now) noexcept;

  /// Anyone: the path at `now`.
  path look(std::uint64_t now) const noexcept;
  /// The same. `running`: its last piece, which is in no sum of work yet.
  path look(std::uint64_t now, std::uint64_t& running) const noexcept;

 private:
  class holding;
  strand strand_;
  std::uint64_t since_ = 0;  // it goes on
  mutable std::atomic<bool> locked_{false};
};

/// The calling thread's.
outer_strand& outside() noexcept;

/// The section `spans` is written from here on, with the path of the calling thread, which has run
/// since `start`.
void enter_spans(std::uint64_t start) noexcept;

/// What it costs to hand work to another worker, in ticks: for burdened paths.
std::uint64_t hand_over_ticks() noexcept;

}  // namespace kasuri::profile
