// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a rank's end is told from its death, between processes that share a job's file.
//
// An orderly end is announced: the rank counts as ended, and waits until all do. A process that
// ends in another way is seen by its launcher, or by the watch of host_watch.hpp. A rank may be at
// its end while others go on and wait for it for ever (the program called exit() in the middle): a
// rank that has waited in vain for a second, while one was at its end, ends the job with a line.
//
//   seat: empty --take_seat()--> taken --announce()--> ending --leave()--> left
//
// A rank that has announced its end takes part in no collective operation until all have, since the
// others' could be others.

#include <atomic>
#include <cstdint>
#include <string>

#include "cluster/transport/job/job_file.hpp"

namespace kasuri::cluster {

class transport;

class shared_ends {
 public:
  /// `of`: the transport, for the call that it is in.
  shared_ends(const job_file& file, int rank, const transport& of) noexcept
      : file_(file), rank_(rank), of_(of) {}

  /// Ends the process with a line where another one has the seat.
  void take_seat();
  void announce();
  [[nodiscard]] bool announced() const noexcept { return announced_; }
  /// Waits until all ranks have announced their ends.
  void wait_for_all();
  /// All are at their ends: this rank is no longer watched.
  void leave();

  /// Whether there is something for look_for_ended() to find.
  [[nodiscard]] bool any() const noexcept {
    return file_.control().ended.load(std::memory_order_relaxed) != 0 ||
           file_.control().failed.load(std::memory_order_relaxed) != 0;
  }
  /// The caller has waited for others for a while. Ends the process where the job has failed, or a
  /// rank is at its end that the caller may be waiting for.
  void look_for_ended();

  /// Ends the job with a line; with none of its own where the text is empty.
  [[noreturn]] void fail(const std::string& text) const;

 private:
  const job_file& file_;
  const int rank_;
  const transport& of_;
  bool announced_ = false;
  std::atomic<std::uint64_t> ended_noticed_ns_{0};  // when a wait first saw that a rank has ended
};

}  // namespace kasuri::cluster
