// SPDX-License-Identifier: Apache-2.0
// How many CPUs this process may use: asks the kernel only, in about 0.1 ms, and never loads hwloc.
#pragma once

#include <vector>

namespace kasuri::platform {

/// CPUs that are online in the machine.
int present_cpus();

/// Kernel numbers of the CPUs in the affinity mask of the calling thread, ascending; never empty.
/// The mask already lies within the cpuset control group.
std::vector<int> affinity_cpus();

/// The smaller of the affinity mask's size and the CPU quota rounded up; at least 1. This is the
/// default number of workers.
int usable_cpus();

}  // namespace kasuri::platform
