// SPDX-License-Identifier: Apache-2.0
// The CPUs that workers get, and who else uses them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "doctor/finding.hpp"
#include "platform/cpu/quota.hpp"

namespace kasuri::doctor {

struct cpus_seen {
  int present = 1;
  int affinity = 1;
  int usable = 1;
  std::optional<platform::cpu_quota> quota = {};
  int cores = 0;  // of the CPUs in the affinity mask; 0: not known
  int workers = 1;
};

findings judge(const cpus_seen& seen);

/// Ticks of a CPU since the machine started.
struct cpu_ticks {
  std::uint64_t busy = 0;
  std::uint64_t idle = 0;
  std::uint64_t stolen = 0;  // by the host of a virtual machine
};

/// By the kernel's number of the CPU: what /proc/stat says.
using machine_ticks = std::map<int, cpu_ticks>;
machine_ticks read_ticks(const std::string& root = "");

/// What was used of `cpus` between two moments at which this program slept.
findings judge_load(const machine_ticks& before, const machine_ticks& after,
                    const std::vector<int>& cpus);

}  // namespace kasuri::doctor
