// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages between ranks, each of one number: rings, and ends.
//
// A rank that ends tells all others, each once, and has ended when it has heard from all. Until
// then it takes part in no collective operation, since the others' could be others. A rank that has
// waited in vain for a second, while one has told that it ends, ends the job with a line.
//
// All that messages change is under MPI's turn (mpi_turns.hpp), but for the count of ends, which is
// also looked at without it.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cluster/transport/mpi/mpi_turns.hpp"

namespace kasuri::cluster {

class mpi_messages {
 public:
  /// Ends the job, in the caller's turn: the rank has ended before the job did, as `how` says.
  using end_of_job = std::function<void(mpi_library& mpi, int rank, const std::string& how)>;

  mpi_messages(mpi_turns& turns, end_of_job end_job);

  /// Takes in all messages that have come.
  void look();
  /// When a thread has looked last.
  [[nodiscard]] std::uint64_t looked_ns() const noexcept {
    return looked_ns_.load(std::memory_order_relaxed);
  }

  /// See transport.
  void ring(int target);
  void nap(std::uint64_t ns);

  /// This rank is at its end. `exit_called`: 1 + the status, if the program has called exit(), or
  /// 0.
  void announce_end(int exit_called);
  [[nodiscard]] bool announced() const noexcept { return announced_; }
  /// Waits until all others have announced their ends.
  void wait_for_all_ends();
  /// The caller has waited in vain for so long. Ends the job where a rank is at its end that the
  /// caller may be waiting for.
  void look_for_ended(std::uint64_t waited_ns);

 private:
  void take_in(int source, int number);

  mpi_turns& turns_;
  const end_of_job end_job_;
  std::vector<int> exits_;  // by rank: the number that it sent when it ended; -1: it has not
  std::atomic<int> ended_{0};
  bool announced_ = false;
  bool rung_ = false;
  std::uint64_t ended_noticed_ns_ = 0;  // when a wait first saw that a rank has ended
  std::atomic<std::uint64_t> looked_ns_{0};
};

}  // namespace kasuri::cluster
