// SPDX-License-Identifier: Apache-2.0
#pragma once

// MPI, for one thread at a time: a thread takes a turn, and makes its calls while it has it. None
// keeps its turn while it waits: it begins something, gives the turn up, and asks after it with
// short sleeps between.

#include <memory>
#include <mutex>
#include <utility>

#include "cluster/transport/mpi/mpi_library.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

class mpi_turns {
 public:
  using turn = std::unique_lock<std::mutex>;

  explicit mpi_turns(std::unique_ptr<mpi_library> mpi) noexcept
      : mpi_(std::move(mpi)), rank_(mpi_->rank()), size_(mpi_->size()) {}

  [[nodiscard]] turn take() { return turn(mutex_); }
  /// For calls in the caller's turn.
  [[nodiscard]] mpi_library& mpi(const turn& mine) const noexcept {
    KASURI_EXPECT(cheap, mine.owns_lock() && mine.mutex() == &mutex_,
                  "rank %d: a call of MPI by a thread that has %s turn", rank_,
                  mine.owns_lock() ? "another's" : "given up its");
    return *mpi_;
  }
  /// The traits of this MPI, at any time.
  [[nodiscard]] const mpi_library& traits() const noexcept { return *mpi_; }

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }

  /// Collective, when nothing is under way: this rank's part of MPI's job ends.
  void end() {
    mpi_->leave();
    mpi_.reset();
  }

 private:
  std::unique_ptr<mpi_library> mpi_;
  mutable std::mutex mutex_;  // a turn
  const int rank_;
  const int size_;
};

/// The n-th sleep of a wait, outside of a turn: first the others on this CPU may work, then come
/// longer and longer sleeps.
void wait_a_little(unsigned turn);

}  // namespace kasuri::cluster
