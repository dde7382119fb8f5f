// SPDX-License-Identifier: Apache-2.0
// What folding loses: a graph is replayed as it is, on machines that are not here, and as the
// recorder would have folded it (sched/measure/fork_tree.hpp).
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "platform/base/clock.hpp"
#include "predict/tree_part.hpp"
#include "sched/measure/fork_tree.hpp"
#include "simulate/graph.hpp"
#include "simulate/machines.hpp"
#include "simulate/virtual_pool.hpp"

namespace kasuri::predict {
namespace {

using sched::fork_chain;
using sched::fork_tree_node;
using simulate::graph;
using simulate::no_node;

double ticks_a_ns() { return static_cast<double>(platform::ticks_of_us(1000)) * 1e-6; }

/// As a worker alone would record it.
/// @param rest  the part of a tick that the nodes before it left over: without it, equal short
///              nodes would all be rounded alike, and the sum with them
fork_chain recorded(const graph& g, std::uint32_t node, double& rest) {
  fork_chain all;
  for (; node != no_node; node = g.at(node).next) {
    const simulate::graph_node& n = g.at(node);
    rest += n.work * ticks_a_ns();
    const auto work = static_cast<std::uint64_t>(rest);
    rest -= static_cast<double>(work);
    all.add({work, work, 0});
    if (n.first != no_node) {
      fork_chain first = recorded(g, n.first, rest);
      all.add_fork(std::move(first), recorded(g, n.second, rest), 1);
    }
  }
  return all;
}

std::string section_of(const fork_chain& chain) {
  std::vector<const fork_tree_node*> all;
  const auto put = [&all](const fork_tree_node* list) {
    const std::ptrdiff_t first = list == nullptr ? -1 : std::ssize(all);
    for (; list != nullptr; list = list->next) all.push_back(list);
    return std::to_string(first);
  };
  const auto ns = [](std::uint64_t ticks) {
    return std::to_string(static_cast<double>(ticks) / ticks_a_ns());
  };
  put(chain.head());
  std::string nodes;
  for (std::size_t i = 0; i != all.size(); ++i) {
    const fork_tree_node& n = *all[i];
    const std::string first = put(n.first);
    const std::string second = put(n.second);
    const std::string next = n.next == nullptr ? "-1" : std::to_string(i + 1);
    nodes += (i == 0 ? "[" : ",[") + ns(n.before.work) + "," + ns(n.before.span) + "," +
             std::to_string(n.before.forks) + "," + first + "," + second + "," + next + ",1]";
  }
  return R"({"tree": {"complete": true, "nodes": [)" + nodes + "]}}";
}

double replayed(const graph& g, const char* machine, int workers) {
  const platform::topology t = simulate::machine_of(machine);
  const simulate::run_options o{.workers = workers, .sweeps = 1};
  return simulate::pool(g, t, simulate::costs_of(machine), o).run().time;
}

struct place {
  const char* machine;
  int workers;
  double within;
};

void compare(const graph& whole, const std::vector<place>& places) {
  double rest = 0;
  fork_chain chain = recorded(whole, whole.root(), rest);
  chain.close();
  const auto part = graph_of_forks(section_of(chain));
  ASSERT_TRUE(part.has_value());
  EXPECT_NEAR(part->total_work() / whole.total_work(), 1, 1e-3);
  for (const auto& [machine, workers, within] : places) {
    const double exact = replayed(whole, machine, workers);
    const double near = replayed(*part, machine, workers);
    EXPECT_NEAR(near / exact, 1, within) << whole.name() << ' ' << workers;
  }
}

TEST(Folded, IsReplayedAsTheWholeIs) {
  const std::vector<place> places = {{"16x1", 1, 0.02},
                                     {"16x1", 2, 0.02},
                                     {"16x1", 4, 0.05},
                                     {"16x1", 16, 0.1},
                                     {"48x8", 48, 0.1}};
  compare(simulate::make_graph({.kind = "jacobi", .size = 4096, .work = 50'000}), places);
  compare(simulate::make_graph({.kind = "cilksort", .size = 3'000'000}), places);
  compare(simulate::make_graph({.kind = "uts", .size = 8}), places);
}

TEST(Folded, IsReplayedAsTheWholeIsOnACluster) {
  compare(simulate::make_graph({.kind = "jacobi", .size = 38'912, .work = 1e6}),
          {{"244x1", 244, 0.05}, {"2432=cluster", 2432, 0.1}, {"2432x38x38", 2432, 0.1}});
}

}  // namespace
}  // namespace kasuri::predict
