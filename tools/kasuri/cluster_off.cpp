// SPDX-License-Identifier: Apache-2.0
// The twin of cluster.cpp in a build without the cluster layer.
#include "cluster.hpp"

#include "command.hpp"

namespace kasuri::command {

const bool has_cluster = false;

int run_cluster(const std::vector<std::string>&, int, const char*) { return status_usage; }

}  // namespace kasuri::command
