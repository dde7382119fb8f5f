// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulate/cost_model.hpp"
#include "simulate/graph.hpp"

namespace kasuri::simulate {

/// The words of `kasuri simulate`.
struct request {
  std::string machine = "48x8";
  std::optional<int> workers;         // none: one for each PU
  std::vector<std::string> policies;  // none: all
  graph_options graph;
  int sweeps = 10;
  std::uint64_t seed = 1;
  std::string data = "blocked";
  std::vector<std::string> costs;  // NAME=NS
  bool calibrate = false;
  bool check = false;
  std::string json;  // a file; - is standard output; empty: none
};

/// Simulates and prints; returns the exit status. Says in a line on stderr what cannot be done.
int simulate_command(const request& r);

/// The values of --policy and --data, by the option.
std::map<std::string, std::vector<std::string>> simulate_choices();

/// `costs` with NAME=NS put in.
/// @throw bad_value
cost_model with_costs(cost_model costs, const std::vector<std::string>& words);

}  // namespace kasuri::simulate
