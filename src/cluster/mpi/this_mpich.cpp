// SPDX-License-Identifier: Apache-2.0
#include "cluster/mpi/this_mpi.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace kasuri::cluster {
namespace {

// A line of the wire protocol of PMI 1 to the process manager, and its answer, which is a line too.
bool tell(int process_manager, std::string_view line) {
  while (!line.empty()) {
    const ssize_t sent = ::write(process_manager, line.data(), line.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    line.remove_prefix(static_cast<std::size_t>(sent));
  }
  char each = 0;
  while (each != '\n') {
    const ssize_t got = ::read(process_manager, &each, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got != 1) return false;
  }
  return true;
}

}  // namespace

// Nothing. Its progress thread, which would answer for a computing rank, spins: two ranks with it
// are no faster than one. Ranks call MPI often instead.
void before_mpi_starts() {}

const char* problem_of_started_mpi() { return ""; }

// Atomic operations wait until the target is in a call of MPI.
bool allocated_is_one_sided() { return false; }

// Hydra speaks PMI 1 on the descriptor PMI_FD. MPI_Finalize would do the same, but not before it
// has closed its connections: over UCX's sockets it waits there for ranks that do not answer any
// more, in one of three jobs on two hosts (4.0.2 with UCX 1.13). Of a rank that just exits Hydra
// thinks that the job is over, and ends the others.
bool leave_by_process_manager() {
  const char* descriptor = std::getenv("PMI_FD");
  // Others, which speak PMI 2 on it, do not count the ranks of the host.
  if (descriptor == nullptr || std::getenv("MPI_LOCALNRANKS") == nullptr) return false;
  const int process_manager = std::atoi(descriptor);
  if (tell(process_manager, "cmd=barrier_in\n")) tell(process_manager, "cmd=finalize\n");
  return true;  // or it is gone, which no MPI_Finalize would mend
}

bool posts_at_once() { return true; }

}  // namespace kasuri::cluster
