// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/program.hpp"
#include "apps/kernels/lu.hpp"
#include "apps/sparselu/block_matrix.hpp"

/// LU factorisation of a sparse matrix of blocks. Blocks that the factorisation fills in are
/// allocated when the first task that writes them is made, on the node of their column.
namespace sparselu {

enum kind { given, filled_in };  ///< what a task writes

class problem {
 public:
  static constexpr const char* name = "sparselu";
  static constexpr bool whole_arrays = false;
  /// Runs of columns round the nodes; one block of columns for each node; who touches first: a
  /// shared loop over columns, tasks, or one thread (as BOTS and KASTORS).
  static std::vector<std::string> distributions() {
    return {"cyclic", "blocked", "first-touch", "tasks", "serial"};
  }
  static std::vector<std::string> kinds() { return {"given blocks", "filled-in blocks"}; }

  struct options {
    int blocks = 32;
    int block = 32;
    int columns = 4;

    void declare(apps::arguments& all) {
      all.number("--blocks", blocks, 1, 1024, "rows and columns of blocks");
      all.number("--block", block, 4, 1024, "rows and columns of a block, a multiple of 4");
      all.number("--columns", columns, 1, 1024, "columns of blocks in a run of cyclic");
    }
    std::string wrong() const {
      if (block % 4 == 0) return "";
      return "--block=" + std::to_string(block) + ": accepted: a multiple of 4";
    }
  };

  problem(const options& chosen, const apps::setting& where)
      : chosen_(chosen),
        where_(where),
        factors_(chosen.blocks, chosen.block,
                 [this](const double* block, std::size_t bytes, int column) {
                   place(block, bytes, column);
                 }) {
    where_.touch(chosen.blocks, [this](int j) { factors_.fill_column(j); });
  }
  problem(const problem&) = delete;
  problem& operator=(const problem&) = delete;

  std::string describe() const {
    const std::string n = std::to_string(chosen_.blocks);
    const std::string b = std::to_string(chosen_.block);
    return n + " x " + n + " blocks of " + b + " x " + b;
  }
  /// As if no block were absent.
  std::size_t most_tasks() const {
    const auto n = static_cast<std::size_t>(chosen_.blocks);
    return n * (n + 1) * (2 * n + 1) / 6;
  }

  int blocks() const { return chosen_.blocks; }
  bool affinity() const { return where_.affinity; }
  bool has(int i, int j) const { return factors_.has(i, j); }
  double* at(int i, int j) const { return factors_.at(i, j); }
  double* fill_in(int i, int j) { return factors_.fill_in(i, j); }

  // The four kinds of tasks, by the block that they write.
  void factorise(int k) {
    note(k, k);
    kernels::factorise(at(k, k), chosen_.block);
  }
  void solve_lower(int k, int j) {
    note(k, j);
    kernels::solve_lower(at(k, k), at(k, j), chosen_.block);
  }
  void solve_upper(int i, int k) {
    note(i, k);
    kernels::solve_upper(at(k, k), at(i, k), chosen_.block);
  }
  void update(int i, int j, int k) {
    double* const inner = fill_in(i, j);
    note(i, j);
    kernels::update(at(i, k), at(k, j), inner, chosen_.block);
  }

  /// Bit for bit: each block sees its updates in the same order however tasks are ordered.
  std::string wrong() const {
    block_matrix input(chosen_.blocks, chosen_.block, {});
    block_matrix expected(chosen_.blocks, chosen_.block, {});
    for (int j = 0; j < chosen_.blocks; ++j) {
      input.fill_column(j);
      expected.fill_column(j);
    }
    serial(expected);
    if (!expected.equals(factors_)) return "the factors differ from the serial ones";
    return kernels::wrong_factors(input, factors_);
  }

  apps::task_log log;

 private:
  void place(const double* block, std::size_t bytes, int column) const {
    if (where_.distribution == "cyclic") {
      apps::place(block, bytes, apps::cyclic_node(where_.nodes, column, chosen_.columns));
    } else if (where_.distribution == "blocked") {
      apps::place(block, bytes, apps::blocked_node(where_.nodes, column, chosen_.blocks));
    }
  }

  void note(int i, int j) {
    const kind written = block_matrix::is_given(i, j) ? given : filled_in;
    const std::size_t bytes = factors_.bytes();
    log.note(written, {at(i, j), 1, bytes, bytes});
  }

  static void serial(block_matrix& a) {
    const int n = a.blocks();
    const int size = a.block();
    for (int k = 0; k < n; ++k) {
      kernels::factorise(a.at(k, k), size);
      for (int other = k + 1; other < n; ++other) {
        if (a.has(k, other)) kernels::solve_lower(a.at(k, k), a.at(k, other), size);
        if (a.has(other, k)) kernels::solve_upper(a.at(k, k), a.at(other, k), size);
      }
      for (int i = k + 1; i < n; ++i) {
        for (int j = k + 1; j < n && a.has(i, k); ++j) {
          if (a.has(k, j)) kernels::update(a.at(i, k), a.at(k, j), a.fill_in(i, j), size);
        }
      }
    }
  }

  options chosen_;
  apps::setting where_;
  block_matrix factors_;
};

}  // namespace sparselu
