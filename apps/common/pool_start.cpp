// SPDX-License-Identifier: Apache-2.0
#include "common/pool_start.hpp"

#include <cstdlib>
#include <kasuri/kasuri.hpp>

namespace apps {

std::vector<std::string> policies() {
  return {default_policy, "near", "random", "adws", serial_policy};
}

void start_pool(const std::string& policy, int workers) {
  if (policy != default_policy) ::setenv("KASURI_SCHED", policy.c_str(), 1);
  kasuri::options chosen;
  chosen.workers = workers;
  kasuri::initialize(chosen);
}

void run_in_pool(const std::function<void()>& body) { kasuri::run(body); }

std::uint64_t steals_so_far() {
  std::uint64_t sum = 0;
  for (const kasuri::worker_counters& each : kasuri::counters()) sum += each.steals;
  return sum;
}

}  // namespace apps
