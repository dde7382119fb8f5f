// SPDX-License-Identifier: Apache-2.0
#pragma once

// The transport over MPI's one-sided operations, for ranks on several hosts.
//
// One thread at a time is in MPI (a lock), and none stays in it while it waits: a collective
// operation is begun and asked after, with short sleeps between, and before a flush that the target
// has to take part in, a probe is sent behind the operations and asked after in the same way. What
// waits for one target is flushed for that target: the call that flushes for all of them returns
// too early in some versions. MPICH does what others ask of a rank only while that rank is in some
// call of MPI, so a nap looks into MPI every 100 us at most. For a rank whose threads all compute
// an own thread looks in every 200 us, which sleeps in between and does nothing where others have
// looked; between hosts the ranks would wait for one another's leaves otherwise.
//
// Rings are messages of one number. The orderly end: each rank tells all others that it ends, and
// has ended when it has heard from all. A rank that has waited a second in vain for others, of
// which one has told that it ends, ends the job with a line. The ranks of a host also share a file
// (job_file.hpp), for a watch that sees them die (host_watch.hpp) and so that one line is said
// about it.

#include <pthread.h>

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cluster/transport/job/host_watch.hpp"
#include "cluster/transport/job/job_file.hpp"
#include "cluster/transport/mpi/mpi_library.hpp"
#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

struct mpi_options {
  bool flush_all = false;  // use the call that flushes for all targets, to show what it does
  int host_ranks = 0;      // so many ranks count as one host; 0: as they are
};

class mpi_transport final : public transport {
 public:
  mpi_transport(std::unique_ptr<mpi_library> mpi, mpi_options options);
  ~mpi_transport() override;

  [[nodiscard]] int rank() const noexcept override { return rank_; }
  [[nodiscard]] int size() const noexcept override { return size_; }
  [[nodiscard]] int host_of(int rank) const noexcept override;
  [[nodiscard]] bool overlaps(int target) const noexcept override {
    const bool copies = memory_by_mpi_ && mpi_->one_sided() && host_of(target) == host_of(rank_);
    return target != rank_ && !copies;
  }
  [[nodiscard]] bool lets_pages_move() const noexcept override { return false; }

  window allocate(std::size_t bytes) override;
  void free(window& w) override;
  void alias(const window& w, std::size_t offset, std::size_t bytes, void* at) override;

  void put(int target, const window& w, std::size_t offset, const void* from,
           std::size_t bytes) override;
  void get(int target, const window& w, std::size_t offset, void* to, std::size_t bytes) override;
  void flush(int target) override;

  std::uint64_t fetch_add(int target, const window& w, std::size_t offset,
                          std::uint64_t value) override;
  std::uint64_t compare_swap(int target, const window& w, std::size_t offset,
                             std::uint64_t expected, std::uint64_t desired) override;
  std::uint64_t load(int target, const window& w, std::size_t offset) override;
  void store(int target, const window& w, std::size_t offset, std::uint64_t value) override;

  void progress() override;
  void nap(std::uint64_t ns) override;
  void ring(int target) override;
  void announce_end() override;
  std::span<std::atomic<std::uint32_t>> borrowed() noexcept override {
    return board_.seat(rank_).borrowed;
  }
  [[nodiscard]] std::uint64_t now_ns() const noexcept override;
  void spend(std::uint64_t) override {}

  void barrier() override;
  void broadcast(int root, std::span<std::byte> data) override;
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override;

 private:
  // One window: MPI's number, and where this rank's part is.
  struct record {
    int number = -1;  // -1: given back
    std::byte* local = nullptr;
    std::size_t bytes = 0;            // of a part, whole pages
    int file = -1;                    // of the memory, where it is ours
    std::vector<std::size_t> shifts;  // of each rank's first page in its part
    std::vector<char> pending;  // for each target: something has been begun since the last flush
    std::vector<std::deque<std::uint64_t>> posted;  // for each target: words of stores under way
    std::vector<std::uint32_t> flushing;            // for each target: threads that wait for it
  };
  // What the ranks know of one another.
  struct seat {
    std::uint64_t machine;
    std::uint64_t processes;  // the name space of process ids
    std::uint32_t pid;
    int board;  // a descriptor of the file that this rank would share
    std::uint64_t secret;
    char host[48];
  };

  static std::uint64_t clock_ns() noexcept;
  void meet();
  void share_board();
  [[nodiscard]] bool all_agree(bool mine);
  bool allocate_by_mpi(record& made);
  bool allocate_by_us(record& made);
  void look();
  void tend();
  void stop_tending();
  void wait_for_collective();
  void wait_a_little(unsigned turn);
  void wait_for_all_ends();
  void look_for_ended(std::uint64_t waited_ns);
  [[nodiscard]] std::string failure_text(int rank, const std::string& how) const;
  [[nodiscard]] const record& of(const window& w) const {
    return windows_[static_cast<std::size_t>(w.id)];
  }
  [[nodiscard]] std::size_t shifted(int target, const window& w, std::size_t offset) const;
  void note_pending(int target, const window& w);
  void complete(std::unique_lock<std::mutex>& lock, int target, int number);
  void flush(std::unique_lock<std::mutex>& lock, int target, std::size_t index);

  std::unique_ptr<mpi_library> mpi_;
  const int rank_;
  const int size_;
  const mpi_options options_;
  const std::size_t page_;
  const std::uint64_t start_ns_;
  std::vector<seat> seats_;
  std::vector<int> hosts_;
  job_file board_;                         // of the ranks of this host, with the seats of all
  std::atomic<bool> memory_by_mpi_{true};  // until a window shows that it cannot be aliased

  std::mutex mutex_;  // of MPI and all that follows
  std::vector<record> windows_;
  std::vector<int> exits_;  // by rank: what it said when it ended, if it did
  std::atomic<int> ended_{0};
  bool announced_ = false;
  bool rung_ = false;

  std::uint64_t ended_noticed_ns_ = 0;  // when a wait first saw that somebody has ended
  std::optional<host_watch> watch_;

  pthread_t tender_{};
  bool tended_ = false;                      // the thread has been started
  std::atomic<bool> tends_{true};            // it is to go on
  std::atomic<std::uint64_t> looked_ns_{0};  // when somebody has looked into MPI last
};

}  // namespace kasuri::cluster
