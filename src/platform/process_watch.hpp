// SPDX-License-Identifier: Apache-2.0
#pragma once

// Notices that other processes of this host have ended, though they are nobody's children: pidfd_open(2).

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace kasuri::platform {

/// How a process ended, in words, from its status as waitpid(2) reports it: "it was killed by signal 9
/// (Killed)", "it ended with status 3".
std::string end_in_words(int wait_status);

/// A thread that sleeps until a watched process ends.
class process_watch {
 public:
  /// `ended(index, how)` is called on the watching thread once for each process that has ended, also
  /// for one that had ended before; `how` is empty where the system does not tell. An index is the
  /// position in `pids`. Throws std::system_error where there can be no thread.
  process_watch(std::span<const std::uint32_t> pids,
                std::function<void(std::size_t index, const std::string& how)> ended);
  process_watch(const process_watch&) = delete;
  process_watch& operator=(const process_watch&) = delete;
  /// No call is made after this.
  ~process_watch();

 private:
  void run();
  void look(std::size_t index);

  std::function<void(std::size_t, const std::string&)> ended_;
  std::vector<std::uint32_t> pids_;
  std::vector<int> files_;  // of the processes; -1: ended, or not watched
  int stop_;                // an eventfd
  std::thread thread_;
};

}  // namespace kasuri::platform
