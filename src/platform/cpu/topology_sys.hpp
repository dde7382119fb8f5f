// SPDX-License-Identifier: Apache-2.0
// The machine as the kernel describes it in /sys. A file or two are opened for each core, L3,
// package and node: some twenty on a machine of two cores, where a library for all machines opens a
// hundred and loads plugins first.
#pragma once

#include <optional>
#include <string>

#include "platform/cpu/topology.hpp"

namespace kasuri::platform {

/// The whole machine, not cut to the affinity mask; nothing where /sys does not describe the CPUs.
/// Groups have hwloc's logical numbers: counted in the order of the tree. `root` stands before
/// every path read (/sys/devices/system/..., /proc/self/status, /proc/meminfo), so that tests can
/// lay out a machine of their own. Thread-safe.
std::optional<topology> read_sys(const std::string& root = "");

}  // namespace kasuri::platform
