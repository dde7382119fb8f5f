// SPDX-License-Identifier: Apache-2.0
// The thread of the recording: it looks at the others every few milliseconds, and writes the
// profile now and then and at the end.
#pragma once

#include <atomic>  // for atomic
#include <string>  // for string

namespace kasuri::profile {

/// Tasks that no worker has begun, now; set by the scheduler. Any thread may call it.
extern constinit std::atomic<int (*)() noexcept> ready_tasks;

/// Starts the thread, which writes to that file. False, with a line on stderr: it cannot.
[[nodiscard]] bool start_watcher(const std::string& path);

/// Ends it; the last snapshot is written by the caller.
void stop_watcher() noexcept;

}  // namespace kasuri::profile
