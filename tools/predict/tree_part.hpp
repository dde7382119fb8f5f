// SPDX-License-Identifier: Apache-2.0
// The fork-join part of a run: the tree that was recorded, replayed on virtual workers by the
// runtime's own policy code (tools/simulate).
#pragma once

#include <optional>
#include <string>

#include "platform/cpu/topology.hpp"
#include "predict/parts.hpp"
#include "simulate/cost_model.hpp"
#include "simulate/graph.hpp"

namespace kasuri::predict {

/// The tree in a profile's section `forks`, as a graph; none: there is no tree in it, or not all.
std::optional<simulate::graph> graph_of_forks(const std::string& forks);

class tree_part : public part {
 public:
  /// `machine` has as many workers as are asked for at most.
  tree_part(simulate::graph g, double span, platform::topology machine,
            const simulate::cost_model& costs);
  [[nodiscard]] times on(int workers) const override;
  [[nodiscard]] std::string name() const override { return "tasks"; }

  [[nodiscard]] double work() const;
  [[nodiscard]] double span() const { return span_; }

 private:
  simulate::graph graph_;
  double span_;
  platform::topology machine_;
  simulate::cost_model costs_;
};

}  // namespace kasuri::predict
