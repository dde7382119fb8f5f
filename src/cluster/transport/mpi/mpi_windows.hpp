// SPDX-License-Identifier: Apache-2.0
#pragma once

// Windows, and operations on them.
//
// A window is of MPI's own memory, which is the quickest between ranks of a host, until the first
// shows that this memory cannot be aliased at a rank; then and from then on it is of memory of this
// process that MPI is shown. A window goes through
//
//   allocate(), by all  -->  a record with a number of MPI's  -->  free(), by all: its number is -1
//
// For each target a record counts what a flush has to wait for. put(), get() and store() leave
// something pending; a flush takes the mark away before it begins, so that what is begun meanwhile
// is flushed again, and is itself counted while it waits: what it waits for may be another
// thread's, too. The words of stores are kept until a flush has come back that began behind them.
//
// A flush that the target has to take part in waits outside of MPI: a probe is sent behind the
// operations, and asked after with the turn given up in between. A flush names its target: the call
// that flushes for all of them returns too early in some versions.
//
// All fields are under MPI's turn, but for memory_by_mpi_, which changes in allocate() alone.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "cluster/transport/mpi/mpi_collectives.hpp"
#include "cluster/transport/mpi/mpi_turns.hpp"
#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

class mpi_windows {
 public:
  /// `flush_all`: use the call that flushes for all targets, to show what it does.
  mpi_windows(mpi_turns& turns, mpi_collectives& with, bool flush_all);

  /// Whether operations on windows need nothing of the target's processor, where it is of this
  /// host.
  [[nodiscard]] bool one_sided() const noexcept {
    return memory_by_mpi_ && turns_.traits().one_sided();
  }

  // See transport.
  window allocate(std::size_t bytes);
  void free(window& w);
  void alias(const window& w, std::size_t offset, std::size_t bytes, void* at);
  void put(int target, const window& w, std::size_t offset, const void* from, std::size_t bytes);
  void get(int target, const window& w, std::size_t offset, void* to, std::size_t bytes);
  void flush(int target);
  std::uint64_t fetch_add(int target, const window& w, std::size_t offset, std::uint64_t value);
  std::uint64_t compare_swap(int target, const window& w, std::size_t offset,
                             std::uint64_t expected, std::uint64_t desired);
  std::uint64_t load(int target, const window& w, std::size_t offset);
  std::uint64_t apply(int target, const window& w, std::size_t offset, const atomic_operation& op);
  void store(int target, const window& w, std::size_t offset, std::uint64_t value);

  /// Gives back to MPI what is left, at the end of the job.
  void end();

 private:
  /// One window: MPI's number, and where this rank's part is.
  struct record {
    int number = -1;  // -1: given back
    std::byte* local = nullptr;
    std::size_t bytes = 0;            // of a part, whole pages
    int file = -1;                    // of the memory, where it is ours
    std::vector<std::size_t> shifts;  // of each rank's first page in its part
    std::vector<char> pending;  // for each target: something has been begun since the last flush
    std::vector<std::uint32_t> flushing;  // for each target: threads that wait for it
    // By target, the words of stores that are under way. Only targets that have such: an empty
    // deque takes 650 bytes, and there may be ten thousand targets and many windows.
    std::unordered_map<std::size_t, std::deque<std::uint64_t>> posted;
  };
  /// Where MPI finds bytes of a part.
  struct place {
    int number;
    std::size_t offset;
  };

  bool allocate_by_mpi(record& made);
  bool allocate_by_us(record& made);
  [[nodiscard]] std::size_t index_of(const window& w) const noexcept;
  [[nodiscard]] place place_of(int target, const window& w, std::size_t offset,
                               std::size_t bytes) const noexcept;
  template <class Begin>
  void operate(int target, const window& w, std::size_t offset, std::size_t bytes, Begin begin);
  template <class Word>
  std::uint64_t apply_to(int target, const window& w, std::size_t offset,
                         const atomic_operation& op);
  void complete(mpi_turns::turn& mine, int target, int number);
  void flush(mpi_turns::turn& mine, int target, std::size_t index);

  mpi_turns& turns_;
  mpi_collectives& with_;
  const int rank_;
  const std::size_t size_;
  const bool flush_all_;
  const std::size_t page_;
  std::atomic<bool> memory_by_mpi_{true};  // until a window shows that it cannot be aliased
  std::vector<record> windows_;
};

}  // namespace kasuri::cluster
