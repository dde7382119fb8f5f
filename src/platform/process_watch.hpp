// SPDX-License-Identifier: Apache-2.0
#pragma once

// Notices that processes of this host have ended, though they are nobody's children: pidfd_open(2).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace kasuri::platform {

/// How a process ended, in words, from its status as waitpid(2) reports it: "it was killed by signal 9
/// (Killed)", "it ended with status 3".
std::string end_in_words(int wait_status);

/// Sleeps until processes end and calls `ended(index, how)` once for each that has, also for one that
/// had before; `how` is empty where the system does not tell. An index is a position in `pids`. Returns
/// when the descriptor `stop` can be read or its other end is closed.
void watch_processes(std::span<const std::uint32_t> pids, int stop,
                     const std::function<void(std::size_t index, const std::string& how)>& ended);

}  // namespace kasuri::platform
