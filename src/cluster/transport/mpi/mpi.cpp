// SPDX-License-Identifier: Apache-2.0
// The beginning and the end.
#include "cluster/transport/mpi/mpi.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "cluster/transport/job/job_line.hpp"
#include "cluster/transport/job/this_host.hpp"
#include "cluster/transport/steady_time.hpp"
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
    : rank_(mpi->rank()),
      size_(mpi->size()),
      start_ns_(steady_ns()),
      turns_(std::move(mpi)),
      messages_(turns_, ends_job()),
      collectives_(turns_, messages_),
      peers_(collectives_, rank_, size_, options.host_ranks),
      windows_(turns_, collectives_, options.flush_all),
      tender_(
          [this] {
            if (!windows_.one_sided()) messages_.look();
          },
          [this] { return messages_.looked_ns(); }) {
  if (size_ > 1 && turns_.traits().called_at_any_time()) tender_.start();
}

/// Behind a wait in vain, when all members have been made.
mpi_messages::end_of_job mpi_transport::ends_job() {
  return [this](mpi_library& mpi, int rank, const std::string& how) {
    report_failure(peers_.board().control(),
                   peers_.failure_text(rank, how) + waits_in(rank_, entered()));
    mpi.abort(2);
  };
}

void mpi_transport::announce_end() {
  if (messages_.announced()) return;
  messages_.announce_end(
      static_cast<int>(peers_.seat().exit_called.load(std::memory_order_relaxed)));
}

mpi_transport::~mpi_transport() {
  announce_end();
  messages_.wait_for_all_ends();
  tender_.stop();
  peers_.leave();
  windows_.end();
  peers_.end_watch();
  barrier();  // as little as possible is under way
  const finalize_limit limit(rank_);
  turns_.end();
  say_failures_once(nullptr);
}

std::uint64_t mpi_transport::now_ns() const noexcept { return steady_ns() - start_ns_; }

}  // namespace kasuri::cluster
