// SPDX-License-Identifier: Apache-2.0
#pragma once

// Collective operations over MPI's. One at a time in the job: it is begun, and then asked after
// until it is done; messages are taken in meanwhile. A rank that has announced its end waits for
// the others' ends first.

#include <cstddef>
#include <span>

#include "cluster/transport/mpi/mpi_messages.hpp"
#include "cluster/transport/mpi/mpi_turns.hpp"

namespace kasuri::cluster {

class mpi_collectives {
 public:
  mpi_collectives(mpi_turns& turns, mpi_messages& messages) noexcept
      : turns_(turns), messages_(messages) {}

  /// See transport.
  void barrier();
  void broadcast(int root, std::span<std::byte> data);
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all);

  /// Whether all ranks say yes.
  [[nodiscard]] bool all_agree(bool mine);

 private:
  template <class Begin>
  void run(Begin begin);

  mpi_turns& turns_;
  mpi_messages& messages_;
  bool under_way_ = false;  // under MPI's turn
};

}  // namespace kasuri::cluster
