// SPDX-License-Identifier: Apache-2.0
#include "report/ancestry/fork_ancestry.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

namespace kasuri::report {
namespace {

using nlohmann::json;

// Work, span and forks before the fork, its sides, what follows, its site: see explain.md.
using node = std::vector<std::int64_t>;
struct of_node {
  enum field : std::size_t { work, span, forks, first, second, next, site, fields };
};

bool is_node(const json& one) {
  return one.is_array() && one.size() == of_node::fields &&
         std::ranges::all_of(one, [](const json& v) { return v.is_number_integer(); });
}

/// Lists lie behind the node that they belong to: all passes over the tree are loops.
bool points_behind(const node& n, std::size_t at, std::size_t size) {
  return std::ranges::all_of(
      std::vector{n[of_node::first], n[of_node::second], n[of_node::next]}, [&](std::int64_t to) {
        return to == -1 ||
               (to > static_cast<std::int64_t>(at) && to < static_cast<std::int64_t>(size));
      });
}

std::vector<node> nodes_of(const std::string& forks_section) {
  const json section = json::parse(forks_section, nullptr, false);
  if (!section.is_object()) return {};
  const json tree = section.value("tree", json());
  const json given = tree.is_object() ? tree.value("nodes", json()) : json();
  if (!given.is_array()) return {};
  std::vector<node> all;
  for (std::size_t i = 0; i != given.size(); ++i) {
    if (!is_node(given[i])) return {};
    all.push_back(given[i].get<node>());
    if (!points_behind(all.back(), i, given.size())) return {};
  }
  return all;
}

/// The span of each node's list, from the node on.
std::vector<double> spans_of(const std::vector<node>& all) {
  std::vector<double> spans(all.size());
  const auto at = [&](std::int64_t i) { return i < 0 ? 0 : spans[static_cast<std::size_t>(i)]; };
  for (std::size_t i = all.size(); i-- > 0;) {
    const node& n = all[i];
    spans[i] = static_cast<double>(n[of_node::span]) +
               std::max(at(n[of_node::first]), at(n[of_node::second])) + at(n[of_node::next]);
  }
  return spans;
}

class folding {
 public:
  std::vector<fork_ancestor> all{fork_ancestor{}};

  /// A fork at `where` within `in`: the ancestor of that place, or a new one.
  int within(int in, int where) {
    for (int i = in; i > 0; i = all[static_cast<std::size_t>(i)].parent)
      if (all[static_cast<std::size_t>(i)].site == where) return i;
    const auto [found, made] = places_.try_emplace({in, where}, static_cast<int>(all.size()));
    if (made) all.push_back({.parent = in, .site = where});
    return found->second;
  }

 private:
  std::map<std::pair<int, int>, int> places_;
};

}  // namespace

std::vector<fork_ancestor> fold_forks(const std::string& forks_section) {
  const std::vector<node> nodes = nodes_of(forks_section);
  if (nodes.empty()) return {};
  const std::vector<double> spans = spans_of(nodes);
  const auto span_at = [&](std::int64_t i) {
    return i < 0 ? 0 : spans[static_cast<std::size_t>(i)];
  };
  struct context {
    int in = 0;
    bool critical = false;
  };
  std::vector<context> contexts(nodes.size());
  contexts[0].critical = true;
  folding result;
  const auto set = [&](std::int64_t i, context c) {
    if (i >= 0) contexts[static_cast<std::size_t>(i)] = c;
  };
  constexpr double s_per_ns = 1e-9;
  for (std::size_t i = 0; i != nodes.size(); ++i) {
    const node& n = nodes[i];
    const context here = contexts[i];
    fork_ancestor& own = result.all[static_cast<std::size_t>(here.in)];
    own.work_s += s_per_ns * static_cast<double>(n[of_node::work]);
    if (here.critical) own.critical_s += s_per_ns * static_cast<double>(n[of_node::span]);
    set(n[of_node::next], here);
    if (n[of_node::first] < 0 && n[of_node::second] < 0) continue;
    const int fork = result.within(here.in, static_cast<int>(n[of_node::site]));
    const bool first_is_longer = span_at(n[of_node::first]) >= span_at(n[of_node::second]);
    set(n[of_node::first], {fork, here.critical && first_is_longer});
    set(n[of_node::second], {fork, here.critical && !first_is_longer});
  }
  return result.all;
}

}  // namespace kasuri::report
