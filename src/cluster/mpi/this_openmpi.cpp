// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "cluster/mpi/this_mpi.hpp"

namespace kasuri::cluster {

// The component osc/rdma of Open MPI 4 crashes in a compare-and-swap that is flushed. The user's
// choice stays.
namespace {

constexpr bool rdma_crashes = OMPI_MAJOR_VERSION == 4;
constexpr const char* chosen_name = "OMPI_MCA_osc";

// A list of components, or behind a ^ of those left out.
bool may_be_rdma(std::string_view chosen) {
  const bool left_out = chosen.starts_with('^');
  if (left_out) chosen.remove_prefix(1);
  bool named = false;
  for (std::size_t at = 0; at <= chosen.size();) {
    const std::size_t end = std::min(chosen.find(',', at), chosen.size());
    named = named || chosen.substr(at, end - at) == "rdma";
    at = end + 1;
  }
  return named != left_out;
}

}  // namespace

void before_mpi_starts() {
  if (rdma_crashes) ::setenv(chosen_name, "^rdma", 0);
}

const char* problem_of_started_mpi() {
  const char* chosen = std::getenv(chosen_name);
  const bool may_crash = rdma_crashes && (chosen == nullptr || may_be_rdma(chosen));
  return may_crash ? "the program has started Open MPI 4 itself, with its component osc/rdma, "
                     "which crashes in "
                     "operations on windows; accepted: OMPI_MCA_osc=^rdma in the environment "
                     "(mpiexec --mca "
                     "osc ^rdma)"
                   : "";
}

// By its component osc/sm.
bool allocated_is_one_sided() { return true; }

// mpiexec takes a rank that has not called MPI_Finalize for one that has failed.
bool leave_by_process_manager() { return false; }

// Its component osc/pt2pt gathers them.
bool posts_at_once() { return false; }

}  // namespace kasuri::cluster
