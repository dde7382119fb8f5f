// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a thread leaves its stack to wait, and how it lets others go first: kernel/suspended.hpp has
// the states of a thread, suspend.cpp the way off the stack and back.

#include "kasuri/detail/frame.hpp"
#include "record/wait_reason.hpp"
#include "sched/kernel/suspended.hpp"
#include "sched/pool/ready.hpp"
#include "sched/time/timed_wait.hpp"

namespace kasuri::sched {

/// Suspends the calling thread. Returns true when somebody woke it, possibly on another worker. On
/// an OS thread that is no worker, the OS thread sleeps. `first`: a frame that this worker owns and
/// runs next. False, and nothing has happened: there is no memory for the stack that the worker
/// would go on with, which is said once.
[[nodiscard]] bool try_suspend(record::wait_reason reason, publish_function publish, void* arg,
                               detail::frame* first = nullptr) noexcept;
/// The same, until the time of `wait` comes at the latest: publish calls wait.begin(*s). Behind it
/// wait.is_late says what was first. False, and nothing has happened, also where the system gives
/// no thread for timers.
[[nodiscard]] bool try_suspend(record::wait_reason reason, publish_function publish, void* arg,
                               timed_wait& wait) noexcept;
/// The same, for who cannot refuse to wait: ends the process with a line where there is no memory.
void suspend(record::wait_reason reason, publish_function publish, void* arg) noexcept;

/// Ends the process with the line that says so.
[[noreturn]] void no_memory_for_stack() noexcept;

/// Whether the calling thread can be suspended by the next call of try_suspend, with nothing
/// between that waits: for callers that cannot undo what they do before.
[[nodiscard]] bool can_suspend_alone() noexcept;

/// Steps back behind the other ready threads of this worker. Returns at once when there are none.
void yield() noexcept;

/// Goes on on the worker that the stack belongs to, if the monitor has let it go on elsewhere.
void go_home() noexcept;

}  // namespace kasuri::sched
