// SPDX-License-Identifier: Apache-2.0
// Beginning and end. Windows and what is done on them: mpi_windows.cpp. Waiting: mpi_waits.cpp.
#include "cluster/transport/mpi/mpi.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <thread>
#include <utility>

#include "cluster/transport/job/exit_note.hpp"
#include "cluster/transport/job/job_line.hpp"
#include "cluster/transport/job/this_host.hpp"
#include "platform/base/fatal.hpp"
#include "platform/cpu/affinity.hpp"
#include "platform/memory/memory.hpp"
#include "platform/memory/shared_memory.hpp"
#include "platform/process/executable.hpp"
#include "platform/thread/os_thread.hpp"

namespace kasuri::cluster {
namespace {

// MPICH 4.0.2 over UCX and sockets sometimes waits in MPI_Finalize for what a rank that is further
// on does not answer any more. Where leave() cannot do without it the job is complete then and
// would never end: after a while this ends it.
class finalize_limit {
 public:
  explicit finalize_limit(int rank) : thread_([this, rank] { watch(rank); }) {}
  ~finalize_limit() {
    {
      const std::scoped_lock lock(mutex_);
      returned_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  finalize_limit(const finalize_limit&) = delete;
  finalize_limit& operator=(const finalize_limit&) = delete;

 private:
  void watch(int rank) {
    constexpr int patience_s = 20;
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, std::chrono::seconds(patience_s), [this] { return returned_; })) {
      return;
    }
    platform::fatal(
        "rank %d: MPI_Finalize has not returned for %d s, though the job is complete and "
        "nothing is under way: its MPI has failed",
        rank, patience_s);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool returned_ = false;
  std::thread thread_;
};

}  // namespace

mpi_transport::mpi_transport(std::unique_ptr<mpi_library> mpi, mpi_options options)
    : mpi_(std::move(mpi)),
      rank_(mpi_->rank()),
      size_(mpi_->size()),
      options_(options),
      page_(platform::page_size()),
      start_ns_(clock_ns()),
      board_(job_file::create(size_, 0)),
      exits_(static_cast<std::size_t>(size_), -1) {
  meet();
  share_board();
  // Without it all is right, too, and slower.
  tended_ = size_ > 1 && mpi_->called_at_any_time() &&
            platform::start_os_thread(
                tender_,
                [](void* self) -> void* {
                  static_cast<mpi_transport*>(self)->tend();
                  return nullptr;
                },
                this, "kasuri-mpi");
}

void mpi_transport::announce_end() {
  if (std::exchange(announced_, true)) return;
  const job_seat& place = board_.seat(rank_);
  const auto called = static_cast<int>(place.exit_called.load(std::memory_order_relaxed));
  for (int r = 0; r < size_; ++r) {
    const std::scoped_lock lock(mutex_);
    if (r != rank_) mpi_->send(r, called);
  }
}

// Until then a rank that has announced its end takes part in no collective operation: the others'
// could be others.
void mpi_transport::wait_for_all_ends() {
  for (unsigned turn = 0; true; ++turn) {
    look();
    if (ended_.load(std::memory_order_relaxed) == size_ - 1) break;
    wait_a_little(turn);
  }
}

mpi_transport::~mpi_transport() {
  announce_end();
  wait_for_all_ends();
  stop_tending();
  note_exit_in(nullptr);
  job_seat& place = board_.seat(rank_);
  place.state.store(seat_left, std::memory_order_release);  // pairs with: the watch's load
  for (record& each : windows_) {
    if (each.number >= 0) mpi_->free(each.number);
  }
  watch_.reset();
  barrier();  // as little as possible is under way
  const finalize_limit limit(rank_);
  mpi_->leave();
  mpi_.reset();
  say_failures_once(nullptr);
}

void mpi_transport::meet() {
  seat mine{machine_identity(),  process_space_identity(),   platform::process_id(),
            board_.descriptor(), board_.control().secret[0], {}};
  std::snprintf(mine.host, sizeof mine.host, "%s", platform::host_name().c_str());
  seats_.resize(static_cast<std::size_t>(size_));
  all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(seats_)));
  std::vector<std::uint64_t> machines;
  for (const seat& each : seats_) {
    const auto known = std::ranges::find(machines, each.machine);
    hosts_.push_back(static_cast<int>(known - machines.begin()));
    if (known == machines.end()) machines.push_back(each.machine);
  }
}

int mpi_transport::host_of(int rank) const noexcept {
  return options_.host_ranks == 0 ? hosts_[static_cast<std::size_t>(rank)]
                                  : rank / options_.host_ranks;
}

// The file of the first rank of this host, where it can be opened; else this rank's own.
void mpi_transport::share_board() {
  const seat& mine = seats_[static_cast<std::size_t>(rank_)];
  std::vector<int> here;
  for (int r = 0; r < size_; ++r) {
    const seat& other = seats_[static_cast<std::size_t>(r)];
    if (other.machine == mine.machine && other.processes == mine.processes) here.push_back(r);
  }
  const seat& first = seats_[static_cast<std::size_t>(here[0])];
  if (here[0] != rank_) {
    job_file opened = job_file::adopt(platform::open_shared_file_of(first.pid, first.board));
    if (opened.valid() && opened.control().secret[0] == first.secret) board_ = std::move(opened);
  }
  job_seat& place = board_.seat(rank_);
  place.pid.store(mine.pid, std::memory_order_relaxed);
  place.state.store(seat_taken, std::memory_order_relaxed);
  note_exit_in(&place.exit_called);
  say_failures_once(&board_.control());
  barrier();
  watch_.emplace(board_, here, rank_, [this] { barrier(); });
}

std::string mpi_transport::failure_text(int rank, const std::string& how) const {
  const seat& other = seats_[static_cast<std::size_t>(rank)];
  return "rank " + std::to_string(rank) + " (pid " + std::to_string(other.pid) + " on host " +
         other.host + ") ended before the job did: " +
         (how.empty() ? "its process ended, the cause is not known" : how);
}

}  // namespace kasuri::cluster
