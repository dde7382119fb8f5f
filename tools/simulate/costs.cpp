// SPDX-License-Identifier: Apache-2.0
// The cost model's figures by name.
#include <charconv>
#include <cmath>
#include <string_view>

#include "simulate/simulate.hpp"

namespace kasuri::simulate {
namespace {

double* figure(cost_model& c, std::string_view name) {
  struct named {
    std::string_view name;
    double* at;
  };
  const named all[] = {{"spawn", &c.spawn},
                       {"route", &c.route},
                       {"resume", &c.resume},
                       {"probe-cache", &c.probe[shares_cache]},
                       {"probe-node", &c.probe[shares_node]},
                       {"probe-far", &c.probe[elsewhere]},
                       {"probe-rank", &c.probe[other_rank]},
                       {"steal-cache", &c.steal[shares_cache]},
                       {"steal-node", &c.steal[shares_node]},
                       {"steal-far", &c.steal[elsewhere]},
                       {"steal-rank", &c.steal[other_rank]},
                       {"letter", &c.letter},
                       {"wake", &c.wake},
                       {"spin", &c.spin},
                       {"patience", &c.patience},
                       {"kept", &c.kept},
                       {"local", &c.local},
                       {"remote", &c.remote}};
  for (const named& n : all)
    if (n.name == name) return n.at;
  return nullptr;
}

}  // namespace

cost_model with_costs(cost_model costs, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const auto at = word.find('=');
    double* const of = figure(costs, std::string_view(word).substr(0, at));
    double value = -1;
    bool whole = false;
    if (at != std::string::npos)
      whole = std::from_chars(word.data() + at + 1, word.data() + word.size(), value).ptr ==
              word.data() + word.size();
    if (of == nullptr || !whole || !std::isfinite(value) || value < 0)
      throw bad_value("--cost " + word +
                      ": not known; accepted: NAME=NS with spawn, route, resume, probe-cache, "
                      "probe-node, probe-far, probe-rank, steal-cache, steal-node, steal-far, "
                      "steal-rank, letter, wake, spin, patience, kept, local, remote");
    *of = value;
  }
  return costs;
}

}  // namespace kasuri::simulate
