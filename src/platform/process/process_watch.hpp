// SPDX-License-Identifier: Apache-2.0
#pragma once

// Notices that processes of this host have ended, though they are nobody's children: pidfd_open(2).

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace kasuri::platform {

/// How a process ended, in words, from its status as waitpid(2) reports it: "it was killed by
/// signal 9 (Killed)", "it ended with status 3".
std::string end_in_words(int wait_status);

/// Whether the process stands still: a signal (SIGSTOP and its like) or a debugger has stopped it.
bool stands_still(std::uint32_t pid);

/// Counts for how long processes have stood still; asked every second or so.
class still_watch {
 public:
  /// True, once for each time that the process stands still, when it has done so for ten seconds.
  [[nodiscard]] bool look(std::size_t index, std::uint32_t pid);

 private:
  struct seen {
    bool still = false;
    bool told = false;
    std::chrono::steady_clock::time_point since;
  };
  std::vector<seen> seen_;
};

/// A process to watch, and the end of a pipe whose other end it alone holds. The system closes that
/// early in the death of a process: the order in which the pipes are let go is that of the deaths,
/// also where the first is followed at once by others.
struct watched_process {
  std::uint32_t pid;
  int rope;  // closed by the watch
};

/// Sleeps until processes end, and returns when all have. For each that ends, or lets go of its
/// rope to do so, `may_end(index)` is asked; where it says no, `ended(index, how)` is told how the
/// process has ended, empty where the system does not say. Where one has stood still for ten
/// seconds `still(index)` is told. An index is a position in `watched`.
void watch_processes(std::span<const watched_process> watched,
                     const std::function<bool(std::size_t index)>& may_end,
                     const std::function<void(std::size_t index, const std::string& how)>& ended,
                     const std::function<void(std::size_t index)>& still);

}  // namespace kasuri::platform
