// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/mpi/mpi_peers.hpp"

#include <algorithm>
#include <cstdio>
#include <span>
#include <utility>

#include "cluster/transport/job/exit_note.hpp"
#include "cluster/transport/job/job_line.hpp"
#include "cluster/transport/job/this_host.hpp"
#include "platform/cpu/affinity.hpp"
#include "platform/process/executable.hpp"
#include "platform/memory/shared_memory.hpp"

namespace kasuri::cluster {

mpi_peers::mpi_peers(mpi_collectives& with, int rank, int size, int host_ranks)
    : rank_(rank),
      host_ranks_(host_ranks),
      board_(job_file::create(size, 0)),
      all_(static_cast<std::size_t>(size)) {
  introduce(with);
  share_board(with);
}

void mpi_peers::introduce(mpi_collectives& with) {
  identity mine{machine_identity(),  process_space_identity(),   platform::process_id(),
                board_.descriptor(), board_.control().secret[0], {}};
  std::snprintf(mine.host, sizeof mine.host, "%s", platform::host_name().c_str());
  with.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all_)));
  KASURI_EXPECT(cheap, of(rank_).pid == mine.pid && of(rank_).secret == mine.secret,
                "rank %d is process %u, and the others know it as process %u", rank_, mine.pid,
                of(rank_).pid);
  std::vector<std::uint64_t> machines;
  for (const identity& each : all_) {
    const auto known = std::ranges::find(machines, each.machine);
    hosts_.push_back(static_cast<int>(known - machines.begin()));
    if (known == machines.end()) machines.push_back(each.machine);
  }
}

/// Takes the file of the first rank of this host, where it can be opened, in place of this rank's.
void mpi_peers::share_board(mpi_collectives& with) {
  const identity& mine = of(rank_);
  std::vector<int> here;
  for (int r = 0; r != static_cast<int>(all_.size()); ++r)
    if (of(r).machine == mine.machine && of(r).processes == mine.processes) here.push_back(r);
  KASURI_EXPECT(cheap, std::ranges::binary_search(here, rank_),
                "rank %d is not among the %zu ranks of its own host", rank_, here.size());
  const identity& first = of(here[0]);
  if (here[0] != rank_) {
    job_file opened = job_file::adopt(platform::open_shared_file_of(first.pid, first.board));
    if (opened.valid() && opened.control().secret[0] == first.secret) board_ = std::move(opened);
  }
  job_seat& place = seat();
  place.pid.store(mine.pid, std::memory_order_relaxed);
  place.state.store(seat_taken, std::memory_order_relaxed);
  note_exit_in(&place.exit_called);
  say_failures_once(&board_.control());
  with.barrier();
  watch_.emplace(board_, here, rank_, [&with] { with.barrier(); });
}

int mpi_peers::host_of(int rank) const noexcept {
  return host_ranks_ == 0 ? hosts_[static_cast<std::size_t>(rank)] : rank / host_ranks_;
}

std::string mpi_peers::failure_text(int rank, const std::string& how) const {
  const identity& other = of(rank);
  return "rank " + std::to_string(rank) + " (pid " + std::to_string(other.pid) + " on host " +
         other.host + ") ended before the job did: " +
         (how.empty() ? "its process ended, the cause is not known" : how);
}

void mpi_peers::leave() {
  KASURI_EXPECT(cheap, seat().state.load(std::memory_order_relaxed) == seat_taken,
                "rank %d leaves its seat in state %u", rank_,
                seat().state.load(std::memory_order_relaxed));
  note_exit_in(nullptr);
  seat().state.store(seat_left, std::memory_order_release);  // pairs with: the watch's load
}

}  // namespace kasuri::cluster
