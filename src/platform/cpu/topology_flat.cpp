// SPDX-License-Identifier: Apache-2.0
// The twin of topology_hwloc.cpp for builds without hwloc.
#include "platform/base/fatal.hpp"
#include "platform/cpu/topology.hpp"

namespace kasuri::platform {

std::optional<topology> read_hwloc() {
  warn("%s is set, but this Kasuri was built without hwloc: the machine is taken to be flat",
       variable_for_hwloc());
  return std::nullopt;
}

}  // namespace kasuri::platform
