// SPDX-License-Identifier: Apache-2.0
// Memory, and the limits of the system that the runtime may meet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "doctor/finding.hpp"
#include "platform/cpu/topology.hpp"

namespace kasuri::doctor {

/// NUMA nodes; and whether it is this machine that is described.
findings judge(const platform::topology& machine);

/// `mode` is that of platform::features.
finding judge_huge_pages(const std::string& mode);

struct limits_seen {
  std::optional<std::uint64_t> threads = {};  // ulimit -u; nothing: none, or it does not hold here
  std::optional<std::uint64_t> address_space = {};  // ulimit -v, bytes
  std::uint64_t mappings = 0;                       // vm.max_map_count
  bool guards_without_mappings = false;             // the kernel has them
  bool guard_pages = true;                          // the settings ...
  std::uint64_t stack_size = 0;
  int workers = 1;
  int max_spares = 0;
  int max_blocking = 0;
};

findings judge(const limits_seen& seen);

/// The limits of this process.
std::optional<std::uint64_t> thread_limit();
std::optional<std::uint64_t> address_space_limit();

}  // namespace kasuri::doctor
