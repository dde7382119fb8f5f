// SPDX-License-Identifier: Apache-2.0
#pragma once

// The calls of an MPI library. The library that programs link knows no MPI: one source,
// mpi/module.cpp, is compiled with the headers of each MPI into a module of its own, which
// mpi_open.cpp loads into a process that an mpiexec has started. Thin: what to do with these calls
// is said in mpi.hpp.

#include <cstddef>
#include <cstdint>

#include "cluster/transport/atomic_operation.hpp"

namespace kasuri::cluster {

/// A question under way. It stays where it is until it has been answered.
struct mpi_probe {
  alignas(16) std::byte request[16];
  std::uint64_t word;
};

/// All calls are made by one thread at a time. A failure inside MPI ends the job with MPI's own
/// message.
class mpi_library {
 public:
  mpi_library() = default;
  mpi_library(const mpi_library&) = delete;
  mpi_library& operator=(const mpi_library&) = delete;
  /// Finalises MPI, where it was initialised by the module, unless leave() has done what is needed.
  virtual ~mpi_library() = default;

  /// Collective, when nothing is under way: the last call. Ends this rank's part of the job without
  /// MPI_Finalize where MPI_Finalize may hang and the process manager lets ranks go so.
  virtual void leave() = 0;

  [[nodiscard]] virtual int rank() const noexcept = 0;
  [[nodiscard]] virtual int size() const noexcept = 0;
  /// Empty, or the thread level that MPI gives, where that does not let any thread call it in its
  /// turn.
  [[nodiscard]] virtual const char* thread_problem() const noexcept = 0;

  /// Whether MPI may be called at any time, in the turn of this library's callers: the program does
  /// not call it itself, or it may be called by several at once.
  [[nodiscard]] virtual bool called_at_any_time() const noexcept = 0;

  /// Collective operations, one at a time: begun, then asked for until done.
  virtual void begin_barrier() = 0;
  virtual void begin_broadcast(int root, void* data, std::size_t bytes) = 0;
  virtual void begin_all_gather(const void* mine, void* all, std::size_t bytes) = 0;
  virtual bool collective_done() = 0;

  /// Collective: a window of MPI's own memory, with its start here; or over memory at `start`. The
  /// number of the window; -1: refused.
  virtual int allocate(std::size_t bytes, std::byte*& start) = 0;
  virtual int expose(std::byte* start, std::size_t bytes) = 0;
  virtual void free(int window) = 0;

  virtual void put(int target, int window, std::size_t offset, const void* from,
                   std::size_t bytes) = 0;
  virtual void get(int target, int window, std::size_t offset, void* to, std::size_t bytes) = 0;
  virtual void flush(int target, int window) = 0;
  virtual void flush_all(int window) = 0;

  /// Begun on words of 8 bytes; `before` is there after a flush, until which the operands stay
  /// MPI's.
  virtual void fetch_add(int target, int window, std::size_t offset, const std::uint64_t& value,
                         std::uint64_t& before) = 0;
  virtual void compare_swap(int target, int window, std::size_t offset,
                            const std::uint64_t& expected, const std::uint64_t& desired,
                            std::uint64_t& before) = 0;
  virtual void load(int target, int window, std::size_t offset, std::uint64_t& value) = 0;
  /// The same for any operation, on words of op.bytes; the operands are at `value` and `expected`.
  virtual void apply(int target, int window, std::size_t offset, const atomic_operation& op,
                     const void* value, const void* expected, void* before) = 0;
  virtual void store(int target, int window, std::size_t offset, const std::uint64_t& value) = 0;

  /// The one of this MPI's own settings that forbids its operations on windows, with what is
  /// accepted; empty: none does.
  [[nodiscard]] virtual const char* window_problem() const noexcept = 0;

  /// Whether a flush in a window that allocate() made needs nothing of the target's processor.
  [[nodiscard]] virtual bool one_sided() const noexcept = 0;
  /// Asks `target` for a sign of life in the window, behind what was begun before; true once it is
  /// there.
  virtual void begin_probe(int target, int window, mpi_probe& probe) = 0;
  virtual bool probe_done(mpi_probe& probe) = 0;

  /// A message of one number, posted; and one that has come, if any. Lets MPI work.
  virtual void send(int target, int number) = 0;
  virtual bool receive(int& source, int& number) = 0;

  [[noreturn]] virtual void abort(int status) = 0;
};

/// A module exports this: it initialises MPI where nobody has. The name has the version of
/// mpi_library.
using mpi_opener = mpi_library*();
inline constexpr const char* mpi_opener_name = "kasuri_mpi_open_4";

}  // namespace kasuri::cluster
