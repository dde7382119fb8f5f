// SPDX-License-Identifier: Apache-2.0
// The twin of topology_hwloc.cpp for builds without hwloc.
#include "platform/topology.hpp"

namespace kasuri::platform {

topology read_topology() { return flat_topology(); }

}  // namespace kasuri::platform
