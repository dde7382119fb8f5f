// SPDX-License-Identifier: Apache-2.0
// The twin of cluster.cpp in a build without the cluster layer.
#include "cluster.hpp"

#include <cstdio>

#include "command.hpp"

namespace kasuri::command {

int run_cluster(const std::vector<std::string>&, int) {
  std::fputs(
      "kasuri: run: --cluster: this Kasuri was built without its cluster layer "
      "(KASURI_CLUSTER=OFF)\n",
      stderr);
  return status_usage;
}

}  // namespace kasuri::command
