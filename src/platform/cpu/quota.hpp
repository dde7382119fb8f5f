// SPDX-License-Identifier: Apache-2.0
// The CPU quota of the control groups (cgroup v1 and v2) that hold this process.
//
// A container limited to 1.5 CPUs of a 64-CPU machine still sees 64 CPUs in its affinity mask; only
// the control group tells. A limit of any ancestor binds its descendants, so the smallest one on
// the way up to the mount point counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace kasuri::platform {

struct cpu_quota {
  std::int64_t quota_us = 0;   // CPU time granted in each period
  std::int64_t period_us = 0;  // length of a period
  std::string file;            // where the limit was found

  double cpus() const { return static_cast<double>(quota_us) / static_cast<double>(period_us); }

  // Rounded up: 1.5 CPUs keep two workers busy three quarters of the time, one would waste a third.
  std::int64_t whole_cpus() const { return (quota_us - 1) / period_us + 1; }
};

/// The tightest CPU quota of this process, or nothing when there is none. `root` stands before
/// every path read (/proc/self/cgroup, /proc/self/mountinfo and the mount points named there), so
/// that tests can lay out a tree of their own. Files that are missing or malformed are ignored.
std::optional<cpu_quota> read_cpu_quota(const std::string& root = "");

}  // namespace kasuri::platform
