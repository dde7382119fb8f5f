// SPDX-License-Identifier: Apache-2.0
#pragma once

// The program that is run: a fork tree, made once and walked in every sweep. A task works, forks in
// two, joins, and goes on with the next step. Nodes come after those they name, so that sums need
// one pass.

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace kasuri::simulate {

/// A value that cannot be used: what() is the line to print.
struct bad_value : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr std::uint32_t no_node = ~std::uint32_t{0};

struct graph_node {
  double work = 0;          // ns, before the fork
  double total = 0;         // ns: of it, its children and the steps after it
  std::int32_t block = -1;  // the data that it touches
  std::uint32_t first = no_node;
  std::uint32_t second = no_node;
  std::uint32_t next = no_node;
  float first_share = 1;
  float second_share = 1;
  // The blocks below: lowest and highest; lowest > highest: none.
  std::int32_t low = 0;
  std::int32_t high = -1;
  // A loop behind the work, in place of a fork: 0 iterations: there is none.
  std::uint32_t iterations = 0;
  double loop_work = 0;  // ns, of all iterations
  double longest = 0;    // ns, of the longest one
  std::uint32_t longest_at = 0;

  bool is_loop() const noexcept { return iterations != 0; }
};

struct longest_iteration {
  double work = 0;   // ns; less than the mean: none is longer
  double place = 0;  // which it is: from 0 to 1
};

class graph {
 public:
  explicit graph(std::string name) : name_(std::move(name)) {}

  /// `work` ns on `block`, or on none.
  std::uint32_t leaf(double work, std::int32_t block = -1);
  /// `work` ns, then both in parallel; afterwards `next`, if any. Shares as kasuri::share.
  std::uint32_t fork(double work, std::uint32_t first, std::uint32_t second,
                     std::uint32_t next = no_node);
  /// Iterations that workers divide as kasuri::parallel_for does; afterwards `next`, if any.
  std::uint32_t loop(double work, std::uint64_t iterations, const longest_iteration& longest,
                     std::uint32_t next = no_node);
  /// `work` ns, then `next`: no fork.
  std::uint32_t step(double work, std::uint32_t next);
  /// Announces to the policies the work below each fork; without, its sides count alike.
  void announce_work();
  void set_root(std::uint32_t root);

  const std::string& name() const noexcept { return name_; }
  const graph_node& at(std::uint32_t i) const noexcept { return nodes_[i]; }
  std::size_t size() const noexcept { return nodes_.size(); }
  std::uint32_t root() const noexcept { return root_; }
  std::int32_t blocks() const noexcept { return blocks_; }
  std::size_t forks() const noexcept { return forks_; }
  /// ns: of the iterations [begin, end) of a loop.
  double time_of(const graph_node& n, std::uint32_t begin, std::uint32_t end) const noexcept;
  /// ns: of one worker, and of as many as one likes, without any overhead.
  double total_work() const noexcept { return nodes_[root_].total; }
  double longest_path() const;

 private:
  std::uint32_t add(const graph_node& n);

  std::string name_;
  std::vector<graph_node> nodes_;
  std::uint32_t root_ = no_node;
  std::int32_t blocks_ = 0;
  std::size_t forks_ = 0;
};

struct graph_options {
  std::string kind = "jacobi";            ///< jacobi, cilksort, uts, fib or amr:FILE
  std::optional<std::int64_t> size = {};  ///< blocks, keys, depth, n; none: the kind's own
  std::optional<double> work =
      {};  ///< ns: a block, a key's comparison, a node; none: the kind's own
  std::optional<double> imbalance =
      {};                 ///< jacobi: the first half's blocks work so many times as long
  bool announced = true;  ///< shares stand for work
};

/// @throw bad_value
graph make_graph(const graph_options& o);

/// The graph of a fork trace: one JSON object per line, {"id","parent","work"}, work in ns; the
/// parent of a root is -1 or null. Children are forked one by one, as parallel_invoke does.
/// @throw bad_value that names the line
graph read_trace(std::istream& from, const std::string& name);

}  // namespace kasuri::simulate
