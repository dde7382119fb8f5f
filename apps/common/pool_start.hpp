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

/// Runs `body` on the calling thread, a worker of the pool meanwhile, in place of the first one.
/// Not as a task of the pool: almost deterministic work stealing divides the workers among the
/// forks of who came in from outside.
/// @throw what `body` throws.
void run_in_pool(const std::function<void()>& body);

/// Tasks taken from other workers so far, by all workers.
std::uint64_t steals_so_far();

}  // namespace apps
