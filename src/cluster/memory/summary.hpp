// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kasuri::cluster {

class memory;

/// Collective: rank 0 prints what the memory of each rank has counted.
void print_memory_summary(memory& m);

}  // namespace kasuri::cluster
