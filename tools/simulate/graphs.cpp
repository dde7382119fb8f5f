// SPDX-License-Identifier: Apache-2.0
// The graphs that are known by name.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <utility>

#include "simulate/graph.hpp"

namespace kasuri::simulate {
namespace {

/// The work of each of Jacobi's blocks.
struct block_work {
  std::int64_t blocks;
  double first_half, second_half;
};

/// Blocks of rows, halved as apps/heat does.
std::uint32_t halve(graph& g, std::int64_t begin, std::int64_t end, const block_work& work) {
  if (end - begin == 1)
    return g.leaf(2 * begin < work.blocks ? work.first_half : work.second_half,
                  static_cast<std::int32_t>(begin));
  const std::int64_t middle = begin + (end - begin) / 2;
  const std::uint32_t first = halve(g, begin, middle, work);
  const std::uint32_t second = halve(g, middle, end, work);
  return g.fork(0, first, second);
}

// Cut-offs of bench/cilksort.
constexpr std::int64_t serial_sort = 4096;
constexpr std::int64_t serial_merge = 8192;

std::int32_t block_of(std::int64_t key) { return static_cast<std::int32_t>(key / serial_merge); }

/// Merges of `n` keys from `at` on, cut in the middle: what random keys come to.
std::uint32_t merge(graph& g, std::int64_t at, std::int64_t n, double per_key) {
  if (n <= serial_merge) return g.leaf(per_key * static_cast<double>(n), block_of(at));
  const std::uint32_t first = merge(g, at, n / 2, per_key);
  const std::uint32_t second = merge(g, at + n / 2, n - n / 2, per_key);
  return g.fork(per_key * std::log2(n), first, second);
}

std::uint32_t sort(graph& g, std::int64_t at, std::int64_t n, double per_key) {
  if (n <= serial_sort)
    return g.leaf(per_key * static_cast<double>(n) * std::log2(std::max<std::int64_t>(n, 2)),
                  block_of(at));
  const std::uint32_t merged = merge(g, at, n, per_key);
  const std::uint32_t first = sort(g, at, n / 2, per_key);
  const std::uint32_t second = sort(g, at + n / 2, n - n / 2, per_key);
  return g.fork(0, first, second, merged);
}

std::uint32_t fib(graph& g, std::int64_t n, double work) {
  if (n < 2) return g.leaf(work);
  const std::uint32_t first = fib(g, n - 1, work);
  const std::uint32_t second = fib(g, n - 2, work);
  return g.fork(work, first, second);
}

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// A random tree of the shape of UTS' T1: children geometrically distributed, mean 4; another hash.
std::uint32_t unbalanced(graph& g, std::uint64_t state, std::int64_t depth, double work) {
  const double uniform = static_cast<double>(mixed(state) >> 11) * 0x1p-53;
  const int children =
      depth == 0 ? 0 : std::min(100, static_cast<int>(std::log(1 - uniform) / std::log(0.8)));
  std::uint32_t made = no_node;
  for (int i = children; i-- != 0;) {
    const auto salt = static_cast<std::uint64_t>(i + 1) * 0x9e3779b97f4a7c15u;
    const std::uint32_t child = unbalanced(g, mixed(state ^ salt), depth - 1, work);
    made = made == no_node ? child : g.fork(i == 0 ? work : 0, child, made);
  }
  // An only child follows its parent.
  if (children == 1) return g.step(work, made);
  return made == no_node ? g.leaf(work) : made;
}

/// The defaults of `size` and `work` for a kind, and the bounds of its size.
struct known {
  const char* kind;
  std::int64_t size, least, most;
  double work;
};
constexpr known kinds[] = {{"jacobi", 1024, 1, 1 << 22, 20'000},
                           {"cilksort", 10'000'000, 2, std::int64_t{1} << 33, 2},
                           {"uts", 10, 1, 14, 170},
                           {"fib", 22, 1, 34, 2}};

graph trace_of(const std::string& file) {
  std::ifstream from(file);
  if (!from) throw bad_value("--graph amr:" + file + ": cannot be read; accepted: a fork trace");
  return read_trace(from, "amr");
}

/// ns: a second.
constexpr double most_work = 1e9;

void refuse_unless(bool possible, const char* option, double value, const std::string& accepted) {
  if (possible) return;
  std::ostringstream line;
  line << option << ' ' << value << ": accepted: " << accepted;
  throw bad_value(line.str());
}

graph known_graph(const known& k, const graph_options& o) {
  const std::int64_t size = o.size.value_or(k.size);
  const double work = o.work.value_or(k.work);
  const double imbalance = o.imbalance.value_or(1);
  if (size < k.least || size > k.most)
    throw bad_value("--size " + std::to_string(size) + ": not possible for " + o.kind +
                    "; accepted: " + std::to_string(k.least) + " to " + std::to_string(k.most));
  refuse_unless(work > 0 && work <= most_work, "--work", work, "more than 0, at most 1e9");
  refuse_unless(imbalance > 0 && imbalance <= 1e6, "--imbalance", imbalance,
                "more than 0, at most 1e6");
  refuse_unless(!o.imbalance || o.kind == "jacobi", "--imbalance", imbalance, "with jacobi only");
  graph g(o.kind);
  if (o.kind == "jacobi") g.set_root(halve(g, 0, size, {size, work * imbalance, work}));
  if (o.kind == "cilksort") g.set_root(sort(g, 0, size, work));
  if (o.kind == "uts") g.set_root(unbalanced(g, 19, size, work));
  if (o.kind == "fib") g.set_root(fib(g, size, work));
  return g;
}

/// A trace says itself how much work there is.
graph recorded_graph(const graph_options& o) {
  for (const auto& [option, given] : {std::pair{"--size", o.size.has_value()},
                                      {"--work", o.work.has_value()},
                                      {"--imbalance", o.imbalance.has_value()}})
    if (given) throw bad_value(std::string(option) + ": not with a trace; accepted: other graphs");
  return trace_of(o.kind.substr(4));
}

}  // namespace

graph make_graph(const graph_options& o) {
  const auto* k = std::ranges::find(kinds, o.kind, &known::kind);
  const bool trace = o.kind.starts_with("amr:");
  if (k == std::end(kinds) && !trace)
    throw bad_value("--graph " + o.kind +
                    ": not known; accepted: jacobi, cilksort, uts, fib, amr:FILE");
  graph g = trace ? recorded_graph(o) : known_graph(*k, o);
  if (o.announced) g.announce_work();
  return g;
}

}  // namespace kasuri::simulate
