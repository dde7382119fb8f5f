// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Starting Kasuri under a policy that the command line names.
namespace apps {

/// Left to the environment (KASURI_SCHED).
inline constexpr const char* default_policy = "default";
/// The program without Kasuri: plain recursion on the main thread.
inline constexpr const char* serial_policy = "serial";

/// The names that --policy accepts.
std::vector<std::string> policies();

/// Starts the pool; `workers` 0 leaves their number to the environment. Call it once, before any
/// other use of Kasuri.
void start_pool(const std::string& policy, int workers);

/// Runs `body` as a task of the pool and returns when it has ended. The calling thread waits and
/// runs nothing: so the whole program is run by the configured workers, whose indices a placement
/// can mean something by.
/// @throw what `body` throws.
void run_in_pool(const std::function<void()>& body);

/// Tasks taken from other workers so far, by all workers.
std::uint64_t steals_so_far();

}  // namespace apps
