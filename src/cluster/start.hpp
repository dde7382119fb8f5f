// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/process.hpp"

namespace kasuri::cluster {

/// This process as a rank: of the simulation whose rank runs, or of its job, which is started if
/// need be.
process& started_process();

}  // namespace kasuri::cluster
