// SPDX-License-Identifier: Apache-2.0
// The calls into MPI: compiled once with the headers of each MPI.
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

#include "cluster/mpi/this_mpi.hpp"
#include "cluster/transport/mpi/mpi_library.hpp"

namespace kasuri::cluster {
namespace {

constexpr int message_tag = 1;
constexpr std::size_t largest_count = 1u << 30;  // counts are ints

/// A refusal comes back as an error code instead of ending the job.
template <class F>
int quietly(MPI_Comm comm, F call) {
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int result = call();
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  return result;
}

/// MPI's windows by the numbers that callers know them by; one that was freed keeps its number.
class window_list {
 public:
  /// All ranks may access all parts until the window is freed.
  int add(MPI_Win window) {
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    all_.push_back(window);
    return static_cast<int>(all_.size()) - 1;
  }
  [[nodiscard]] MPI_Win at(int window) const { return all_[static_cast<std::size_t>(window)]; }
  void free(int window) {
    MPI_Win& w = all_[static_cast<std::size_t>(window)];
    MPI_Win_unlock_all(w);
    MPI_Win_free(&w);
  }

 private:
  std::vector<MPI_Win> all_;
};

class module final : public mpi_library {
 public:
  module() {
    int initialised = 0;
    MPI_Initialized(&initialised);
    if (initialised == 0) {
      before_mpi_starts();
      MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &thread_level_);
      ours_ = true;
    } else {
      MPI_Query_thread(&thread_level_);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);  // the program's own messages are not ours
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }

  ~module() override {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (finalised != 0 || left_) return;  // by the program, or by leave()
    MPI_Comm_free(&comm_);
    if (ours_) MPI_Finalize();
  }

  void leave() override { left_ = ours_ && leave_by_process_manager(); }

  [[nodiscard]] int rank() const noexcept override { return rank_; }
  [[nodiscard]] int size() const noexcept override { return size_; }

  [[nodiscard]] const char* thread_problem() const noexcept override {
    if (thread_level_ == MPI_THREAD_SINGLE) return "MPI_THREAD_SINGLE";
    return thread_level_ == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED" : "";
  }

  [[nodiscard]] bool called_at_any_time() const noexcept override {
    return ours_ || thread_level_ == MPI_THREAD_MULTIPLE;
  }

  void begin_barrier() override { MPI_Ibarrier(comm_, &request_); }
  void begin_broadcast(int root, void* data, std::size_t bytes) override {
    MPI_Ibcast(data, static_cast<int>(bytes), MPI_BYTE, root, comm_, &request_);
  }
  void begin_all_gather(const void* mine, void* all, std::size_t bytes) override {
    const auto count = static_cast<int>(bytes);
    MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, comm_, &request_);
  }
  bool collective_done() override {
    int done = 0;
    MPI_Test(&request_, &done, MPI_STATUS_IGNORE);
    return done != 0;
  }

  int allocate(std::size_t bytes, std::byte*& start) override {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");  // each part begins at a page
    MPI_Win window = MPI_WIN_NULL;
    const int result = quietly(comm_, [&] {
      return MPI_Win_allocate(static_cast<MPI_Aint>(bytes), 1, info, comm_, &start, &window);
    });
    MPI_Info_free(&info);
    return result == MPI_SUCCESS ? windows_.add(window) : -1;
  }

  int expose(std::byte* start, std::size_t bytes) override {
    MPI_Win window = MPI_WIN_NULL;
    const int result = quietly(comm_, [&] {
      return MPI_Win_create(start, static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, comm_, &window);
    });
    return result == MPI_SUCCESS ? windows_.add(window) : -1;
  }

  void free(int window) override { windows_.free(window); }

  void put(int target, int window, std::size_t offset, const void* from,
           std::size_t bytes) override {
    const auto* start = static_cast<const std::byte*>(from);
    for (std::size_t done = 0; done < bytes; done += largest_count) {
      const auto count = static_cast<int>(std::min(bytes - done, largest_count));
      MPI_Put(start + done, count, MPI_BYTE, target, static_cast<MPI_Aint>(offset + done), count,
              MPI_BYTE, windows_.at(window));
    }
  }

  void get(int target, int window, std::size_t offset, void* to, std::size_t bytes) override {
    auto* start = static_cast<std::byte*>(to);
    for (std::size_t done = 0; done < bytes; done += largest_count) {
      const auto count = static_cast<int>(std::min(bytes - done, largest_count));
      MPI_Get(start + done, count, MPI_BYTE, target, static_cast<MPI_Aint>(offset + done), count,
              MPI_BYTE, windows_.at(window));
    }
  }

  void flush(int target, int window) override { MPI_Win_flush(target, windows_.at(window)); }
  void flush_all(int window) override { MPI_Win_flush_all(windows_.at(window)); }

  void fetch_add(int target, int window, std::size_t offset, const std::uint64_t& value,
                 std::uint64_t& before) override {
    MPI_Fetch_and_op(&value, &before, MPI_UINT64_T, target, static_cast<MPI_Aint>(offset), MPI_SUM,
                     windows_.at(window));
  }

  void compare_swap(int target, int window, std::size_t offset, const std::uint64_t& expected,
                    const std::uint64_t& desired, std::uint64_t& before) override {
    MPI_Compare_and_swap(&desired, &expected, &before, MPI_UINT64_T, target,
                         static_cast<MPI_Aint>(offset), windows_.at(window));
  }

  void load(int target, int window, std::size_t offset, std::uint64_t& value) override {
    MPI_Fetch_and_op(&value, &value, MPI_UINT64_T, target, static_cast<MPI_Aint>(offset), MPI_NO_OP,
                     windows_.at(window));
  }

  void apply(int target, int window, std::size_t offset, const atomic_operation& op,
             const void* value, const void* expected, void* before) override {
    // One type for all operations on a word: others are not atomic with each other.
    const MPI_Datatype type = op.bytes == 4 ? MPI_UINT32_T : MPI_UINT64_T;
    const auto at = static_cast<MPI_Aint>(offset);
    if (op.what == atomic_operation::kind::compare_swap) {
      MPI_Compare_and_swap(value, expected, before, type, target, at, windows_.at(window));
      return;
    }
    MPI_Op how = MPI_NO_OP;
    if (op.what == atomic_operation::kind::add) how = MPI_SUM;
    if (op.what == atomic_operation::kind::exchange) how = MPI_REPLACE;
    MPI_Fetch_and_op(value, before, type, target, at, how, windows_.at(window));
  }

  void store(int target, int window, std::size_t offset, const std::uint64_t& value) override {
    MPI_Accumulate(&value, 1, MPI_UINT64_T, target, static_cast<MPI_Aint>(offset), 1, MPI_UINT64_T,
                   MPI_REPLACE, windows_.at(window));
    if (!posts_at_once()) MPI_Win_flush_local(target, windows_.at(window));
  }

  [[nodiscard]] const char* window_problem() const noexcept override {
    return ours_ ? "" : problem_of_started_mpi();
  }

  [[nodiscard]] bool one_sided() const noexcept override { return allocated_is_one_sided(); }

  void begin_probe(int target, int window, mpi_probe& probe) override {
    static_assert(sizeof(MPI_Request) <= sizeof probe.request);
    static constexpr std::uint64_t nothing = 0;
    auto* request = new (probe.request) MPI_Request(MPI_REQUEST_NULL);
    MPI_Rget_accumulate(&nothing, 1, MPI_UINT64_T, &probe.word, 1, MPI_UINT64_T, target, 0, 1,
                        MPI_UINT64_T, MPI_NO_OP, windows_.at(window), request);
  }

  bool probe_done(mpi_probe& probe) override {
    int done = 0;
    MPI_Test(reinterpret_cast<MPI_Request*>(probe.request), &done, MPI_STATUS_IGNORE);
    return done != 0;
  }

  void send(int target, int number) override {
    // So small that MPI takes a copy: nobody waits for the receiver.
    MPI_Send(&number, 1, MPI_INT, target, message_tag, comm_);
  }

  bool receive(int& source, int& number) override {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, message_tag, comm_, &there, &status);
    if (there == 0) return false;
    source = status.MPI_SOURCE;
    MPI_Recv(&number, 1, MPI_INT, source, message_tag, comm_, MPI_STATUS_IGNORE);
    return true;
  }

  [[noreturn]] void abort(int status) override {
    MPI_Abort(comm_, status);
    std::abort();
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Request request_ = MPI_REQUEST_NULL;
  window_list windows_;
  int rank_ = 0;
  int size_ = 1;
  int thread_level_ = MPI_THREAD_SINGLE;
  bool ours_ = false;
  bool left_ = false;
};

}  // namespace
}  // namespace kasuri::cluster

extern "C" __attribute__((visibility("default"))) kasuri::cluster::mpi_library*
kasuri_mpi_open_4() {
  return new kasuri::cluster::module;
}
