// SPDX-License-Identifier: Apache-2.0
#pragma once

// The processes of a job on one host share this: one file without a name
// (platform/memory/shared_memory.hpp). It begins with the control page and a seat for each rank;
// behind them lie the staging places of the collective operations, and then the windows, each at an
// offset of its own that is never used again.
//
//   control | seat 0 .. seat n-1 | staging 0 .. staging n-1 | window | window | ...
//
// `kasuri run`, or rank 0 of an MPI job, makes the file with the job; every rank maps it. Words are
// atomics in shared memory; at each it is said which processes write it.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kasuri::cluster {

using shared_word = std::atomic<std::uint32_t>;
static_assert(shared_word::is_always_lock_free);

/// Bytes that a rank shows the others at a time in a collective operation.
inline constexpr std::size_t staging_bytes = 64 * 1024;

/// Closures of other ranks that a seat has room for; a rank may run more.
inline constexpr std::size_t most_borrowed = 20;

/// Of a seat, in this order; written by its rank, `gone` by the launcher.
enum seat_state : std::uint32_t {
  seat_empty,   // the rank has not come yet
  seat_taken,   // it has
  seat_ending,  // it waits for the others to end, too
  seat_left,    // all had come to the end: it may exit
  seat_gone,    // its process ended without having come
};

struct alignas(64) job_seat {
  shared_word state;
  shared_word pid;
  shared_word rings;        // counts the calls for this rank; by any rank
  shared_word sleepers;     // threads of this rank that sleep on `rings`, or are about to
  shared_word rope;         // of the host's watch: a descriptor of its first rank
  shared_word exit_called;  // 1 + the status, once the program has called exit()
  // Closures of others that run there (transport::borrowed). Written by the rank.
  shared_word borrowed[most_borrowed];
};

struct job_control {
  std::uint64_t mark;  // tells that this is such a file
  std::uint64_t secret[2];
  std::uint32_t ranks;
  std::uint32_t launcher;  // process id of a `kasuri run` that watches the ranks; 0: they do it
  // A barrier: `arrived` counts up to the number of ranks, the last one sets it to zero and then
  // raises `round`, on which the others sleep.
  alignas(64) shared_word arrived;
  alignas(64) shared_word round;
  // Ranks that are at their end; once all are, nobody waits for anybody any more.
  alignas(64) shared_word ended;
  // 1: somebody is about to say why the job fails, and is the only one who does; 2: the line is
  // out.
  alignas(64) shared_word failed;
};

/// A mapping of a job's file. Moves, does not copy.
class job_file {
 public:
  /// Makes the file of a job of `ranks` ranks. Ends the process with a line where the system has no
  /// room for it.
  static job_file create(int ranks, std::uint32_t launcher);
  /// The file that this process has as `descriptor`, from now on closed at exec. Not a job's: an
  /// object for which valid() is false.
  static job_file adopt(int descriptor);

  job_file(job_file&& other) noexcept;
  job_file& operator=(job_file&& other) noexcept;
  ~job_file();

  [[nodiscard]] bool valid() const noexcept { return start_ != nullptr; }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] int ranks() const noexcept { return static_cast<int>(control().ranks); }
  [[nodiscard]] job_control& control() const noexcept;
  [[nodiscard]] job_seat& seat(int rank) const noexcept;
  [[nodiscard]] std::byte* staging(int rank) const noexcept;
  /// Where the first window may begin.
  [[nodiscard]] std::uint64_t windows() const noexcept { return bytes_; }

 private:
  job_file(int descriptor, std::byte* start, std::size_t bytes)
      : descriptor_(descriptor), start_(start), bytes_(bytes) {}

  int descriptor_;
  std::byte* start_;   // null: moved from, or no job's file
  std::size_t bytes_;  // mapped here: all but the windows
};

/// Says on stderr, once in the job, why it fails: true for the caller whose line it is. Others
/// return when the line is out. The text has no prefix and no end of line.
bool report_failure(job_control& control, std::string_view text);

/// Says on stderr that the process of a rank has stood still for ten seconds. The job goes on to
/// wait.
void report_still(const job_file& file, int rank);

/// "rank 3 (pid 4711 on host n1): ..." of a rank whose process has ended or ends.
std::string failure_text(const job_file& file, int rank, const std::string& how);

}  // namespace kasuri::cluster
