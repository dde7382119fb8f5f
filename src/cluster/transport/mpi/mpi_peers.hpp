// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ranks of a job over MPI know this of one another: the hosts and the processes, exchanged at
// the start. The ranks of a host also share a file (job_file.hpp), for a watch that sees them die
// (host_watch.hpp) and so that one line is said about it; a rank that cannot open the file of its
// host's first rank has one of its own.
//
// Nothing changes between the constructor and leave().

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/transport/job/host_watch.hpp"
#include "cluster/transport/job/job_file.hpp"
#include "cluster/transport/mpi/mpi_collectives.hpp"

namespace kasuri::cluster {

class mpi_peers {
 public:
  /// Collective. `host_ranks`: so many ranks count as one host; 0: as they are.
  mpi_peers(mpi_collectives& with, int rank, int size, int host_ranks);

  /// Of the ranks of this host, with the seats of all.
  [[nodiscard]] const job_file& board() const noexcept { return board_; }
  /// This rank's.
  [[nodiscard]] job_seat& seat() const noexcept { return board_.seat(rank_); }

  [[nodiscard]] int host_of(int rank) const noexcept;
  /// "rank 3 (pid 4711 on host n1): ..." of a rank that has ended before the job did.
  [[nodiscard]] std::string failure_text(int rank, const std::string& how) const;

  /// This rank leaves its seat; from now on the watch lets its process go.
  void leave();
  /// The watch ends for this rank, which has left its seat.
  void end_watch() { watch_.reset(); }

 private:
  struct identity {
    std::uint64_t machine;
    std::uint64_t processes;  // the name space of process ids
    std::uint32_t pid;
    int board;  // a descriptor of the file that this rank would share
    std::uint64_t secret;
    char host[48];
  };

  void introduce(mpi_collectives& with);
  void share_board(mpi_collectives& with);
  [[nodiscard]] const identity& of(int rank) const noexcept {
    KASURI_EXPECT(cheap, rank >= 0 && static_cast<std::size_t>(rank) < all_.size(),
                  "rank %d of %zu", rank, all_.size());
    return all_[static_cast<std::size_t>(rank)];
  }

  const int rank_;
  const int host_ranks_;
  job_file board_;
  std::vector<identity> all_;
  std::vector<int> hosts_;
  std::optional<host_watch> watch_;
};

}  // namespace kasuri::cluster
