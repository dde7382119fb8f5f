// SPDX-License-Identifier: Apache-2.0
#include "predict/tree_part.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "simulate/virtual_pool.hpp"

namespace kasuri::predict {
namespace {

using nlohmann::json;
using simulate::graph;
using simulate::no_node;

constexpr double ns = 1e9;
// A folded part becomes so many equal tasks at most.
constexpr int most_tasks_of_a_part = 64;

/// A row of the file: docs/design/explain.md.
struct row {
  double work = 0;  // ns, of what ran before the fork
  double span = 0;
  double forks = 0;
  std::int64_t first = -1;
  std::int64_t second = -1;
  std::int64_t next = -1;
  // Of a loop; without one, 0 iterations.
  double loop_work = 0;
  double longest = 0;
  double iterations = 0;
  double longest_at = 0;
};

std::optional<row> row_of(const json& j, std::size_t index, std::size_t rows) {
  if (!j.is_array() || j.size() < 6) return {};
  for (const json& each : j)
    if (!each.is_number()) return {};
  row r{j[0].get<double>(), j[1].get<double>(), j[2], j[3], j[4], j[5]};
  if (j.size() >= 10) {
    r.loop_work = j[7].get<double>();
    r.longest = j[8].get<double>();
    r.iterations = j[9].get<double>();
    if (j.size() >= 11) r.longest_at = j[10].get<double>();
  }
  // Rows name later ones only.
  for (const std::int64_t named : {r.first, r.second, r.next})
    if (named >= 0 &&
        (static_cast<std::size_t>(named) <= index || static_cast<std::size_t>(named) >= rows))
      return {};
  return r;
}

/// `tasks` equal ones beside one another.
std::uint32_t beside(graph& g, double work, int tasks) {
  if (tasks == 1) return g.leaf(work);
  const int half = tasks / 2;
  const std::uint32_t second = beside(g, work * half / tasks, half);
  const std::uint32_t first = beside(g, work * (tasks - half) / tasks, tasks - half);
  return g.fork(0, first, second);
}

/// A part of which only work, span and forks are known, and `next` behind it.
std::uint32_t folded(graph& g, const row& r, std::uint32_t next) {
  const double parallelism = r.span > 0 ? r.work / r.span : 1;
  const int tasks = static_cast<int>(std::clamp(
      std::floor(parallelism), 1.0, std::min<double>(r.forks + 1, most_tasks_of_a_part)));
  if (tasks < 2) return next == no_node ? g.leaf(r.work) : g.step(r.work, next);
  const int half = tasks / 2;
  const std::uint32_t second = beside(g, r.work * half / tasks, half);
  const std::uint32_t first = beside(g, r.work * (tasks - half) / tasks, tasks - half);
  return g.fork(0, first, second, next);
}

/// Iterations that run parallel code themselves count as so many as there are such long paths.
std::uint32_t loop(graph& g, const row& r, std::uint32_t next) {
  const double mean = r.loop_work / r.iterations;
  const bool is_parallel_within = r.longest > 0 && r.longest < mean / 2;
  const double iterations = is_parallel_within ? r.loop_work / r.longest : r.iterations;
  const double place = std::clamp(r.longest_at / r.iterations, 0.0, 1.0);
  return g.loop(r.loop_work, static_cast<std::uint64_t>(std::min(iterations, 1e9)),
                {r.longest, place}, next);
}

}  // namespace

std::optional<graph> graph_of_forks(const std::string& forks) {
  const json section = json::parse(forks, nullptr, false);
  if (!section.is_object() || !section.contains("tree")) return {};
  const json& tree = section["tree"];
  if (!tree.is_object() || !tree.value("complete", false) || !tree.contains("nodes")) return {};
  const json& rows = tree["nodes"];
  if (!rows.is_array() || rows.empty()) return {};
  graph g("recorded");
  std::vector<std::uint32_t> made(rows.size(), no_node);
  const auto named = [&](std::int64_t i) {
    return i < 0 ? no_node : made[static_cast<std::size_t>(i)];
  };
  for (std::size_t i = rows.size(); i-- > 0;) {
    const std::optional<row> r = row_of(rows[i], i, rows.size());
    if (!r) return {};
    std::uint32_t next = named(r->next);
    if (r->first >= 0 || r->second >= 0) {
      const std::uint32_t second = r->second >= 0 ? named(r->second) : g.leaf(0);
      const std::uint32_t first = r->first >= 0 ? named(r->first) : g.leaf(0);
      next = g.fork(0, first, second, next);
    } else if (r->iterations >= 1 && r->loop_work > 0) {
      next = loop(g, *r, next);
    }
    made[i] = folded(g, *r, next);
  }
  g.announce_work();
  g.set_root(made[0]);
  return g;
}

tree_part::tree_part(graph g, double span, platform::topology machine,
                     const simulate::cost_model& costs)
    : graph_(std::move(g)), span_(span), machine_(std::move(machine)), costs_(costs) {}

double tree_part::work() const { return graph_.total_work() / ns; }

times tree_part::on(int workers) const {
  const double p = workers;
  const double span = std::max(span_, 1e-9);
  const simulate::run_options o{.by = simulate::policy::near, .workers = workers, .sweeps = 1};
  const double replayed = simulate::pool(graph_, machine_, costs_, o).run().time / ns;
  // Cilkview's factor for what steals add to a greedy schedule.
  constexpr double steals = 1.7;
  const double least = std::max(work() / p, span);
  return {least, replayed, std::max(replayed, work() / p + steals * span * (1 - 1 / p))};
}

}  // namespace kasuri::predict
