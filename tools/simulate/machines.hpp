// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "platform/cpu/topology.hpp"
#include "simulate/cost_model.hpp"

namespace kasuri::simulate {

inline constexpr int most_workers = 65536;

/// The machine of that name: NxM (N cores in M NUMA nodes), opteron-6172, xeon-phi, N=cluster
/// (nodes of 64 cores), or what hwloc calls a synthetic description ("pack:2 [numa] core:4 pu:1").
/// @throw bad_value
platform::topology machine_of(const std::string& name);

/// Costs to begin with: those of cluster nodes apart are those of a network.
cost_model costs_of(const std::string& machine);

}  // namespace kasuri::simulate
