// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "apps/common/program.hpp"
#include "apps/strassen/recursion.hpp"

namespace strassen {

/// A square matrix in pages of its own.
class matrix {
 public:
  matrix(int n, const apps::setting& where)
      : n_(n),
        pages_(where.array(static_cast<std::size_t>(n) * static_cast<std::size_t>(n) *
                           sizeof(double))) {}
  square all() const { return {pages_.as<double>(), static_cast<std::size_t>(n_), n_}; }

  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y(x.size());
    for (int i = 0; i < n_; ++i) {
      const double* const row = all().row(i);
      for (int j = 0; j < n_; ++j) {
        y[static_cast<std::size_t>(i)] += row[j] * x[static_cast<std::size_t>(j)];
      }
    }
    return y;
  }

 private:
  int n_;
  apps::memory pages_;
};

/// A product c = a b that is a task.
///
/// A task whose output is a part of C belongs to the node of that part. All others belong, by
/// inheritance, to the node of the task that made them; so tasks below a temporary of the first
/// level belong nowhere.
struct node {
  square a;
  square b;
  square c;
  int depth = 0;           ///< levels with tasks that are left
  bool in_result = false;  ///< c is a part of C
  apps::output home;       ///< what its tasks inherit
};

enum kind { adding, multiplying, finishing };

class problem {
 public:
  static constexpr const char* name = "strassen";
  static constexpr bool whole_arrays = true;
  /// A quarter of each matrix to each node; blocks of rows; who touches rows first: a shared loop,
  /// tasks, or one thread.
  static std::vector<std::string> distributions() {
    return {"quadrants", "blocked", "first-touch", "tasks", "serial"};
  }
  static std::vector<std::string> kinds() { return {"sums", "products", "results"}; }

  struct options {
    int size = 1024;
    int leaf = 64;
    int depth = 3;

    void declare(apps::arguments& all) {
      all.number("--size", size, 4, 32768, "rows and columns, a power of two");
      all.number("--leaf", leaf, 4, 32768, "rows up to which a product is computed as defined");
      all.number("--depth", depth, 1, 8, "levels of the recursion with tasks");
    }
    std::string wrong() const {
      if ((size & (size - 1)) == 0) return "";
      return "--size=" + std::to_string(size) + ": accepted: a power of two";
    }
  };

  problem(const options& chosen, const apps::setting& where)
      : chosen_(chosen),
        where_(where),
        a_(chosen.size, where),
        b_(chosen.size, where),
        c_(chosen.size, where) {
    for (const matrix* each : {&a_, &b_, &c_}) place(each->all());
    constexpr int rows = 16;
    where_.touch((chosen.size + rows - 1) / rows, [this](int piece) {
      for (int i = piece * rows; i < std::min((piece + 1) * rows, chosen_.size); ++i) fill(i);
    });
  }

  std::string describe() const {
    const std::string n = std::to_string(chosen_.size);
    return n + " x " + n + ", leaves of " + std::to_string(chosen_.leaf) + ", tasks on " +
           std::to_string(chosen_.depth) + " levels";
  }
  /// 22 for each level of a product: sums, products, results.
  std::size_t most_tasks() const {
    std::size_t products = 1;
    std::size_t tasks = 0;
    for (int i = 0; i < chosen_.depth; ++i, products *= 7) tasks += 22 * products;
    return tasks;
  }

  node root() const { return {a_.all(), b_.all(), c_.all(), chosen_.depth, true, {}}; }
  int leaf() const { return chosen_.leaf; }
  bool affinity() const { return where_.affinity; }
  /// Whether the products of this one are tasks; else it is computed on one thread.
  bool forks(const node& at) const { return at.depth > 0 && at.c.n > chosen_.leaf; }

  static node child(const node& parent, const factors& f, std::size_t which) {
    node made{f.x,        f.y, f.to, parent.depth - 1, parent.in_result && which >= in_temporaries,
              parent.home};
    if (made.in_result) made.home = output_of(f.to);
    return made;
  }

  void note_product(const node& at) { log.note(multiplying, at.home); }
  /// The task that computes one of the sums of quarters of A or B.
  void add(const node& parent, const sum& s) {
    log.note(adding, parent.home);
    kernels::add(s.x, s.y, s.sign, s.to);
  }
  /// The task that computes one of the sums of products.
  void finish(const node& parent, const sum& s, bool in_temporary) {
    log.note(finishing, parent.in_result && !in_temporary ? output_of(s.to) : parent.home);
    kernels::add(s.x, s.y, s.sign, s.to);
  }

  /// Bit for bit, since each cell's sums are ordered; and C x = A (B x) for a vector x.
  std::string wrong() const {
    const matrix expected(chosen_.size, where_);
    serial(a_.all(), b_.all(), expected.all(), chosen_.leaf);
    const auto n = static_cast<std::size_t>(chosen_.size);
    if (std::memcmp(expected.all().data, c_.all().data, n * n * sizeof(double)) != 0) {
      return "the product differs from the serial one";
    }
    const std::vector<double> ones(n, 1.0);
    const std::vector<double> wanted = a_.times(b_.times(ones));
    const std::vector<double> found = c_.times(ones);
    double error = 0;
    for (std::size_t i = 0; i < n; ++i) error = std::max(error, std::abs(found[i] - wanted[i]));
    if (error <= 1e-9 * chosen_.size) return "";
    return "C x differs from A (B x) by " + std::to_string(error);
  }

  apps::task_log log;

 private:
  static apps::output output_of(const square& s) {
    return {s.data, s.n, static_cast<std::size_t>(s.n) * sizeof(double), s.stride * sizeof(double)};
  }

  void place(const square& m) const {
    const bool quadrants = where_.distribution == "quadrants";
    if (!quadrants && where_.distribution != "blocked") return;
    const std::size_t row_bytes = static_cast<std::size_t>(m.n) * sizeof(double);
    for (int i = 0; i < m.n; ++i) {
      if (!quadrants) {
        apps::place(m.row(i), row_bytes, apps::blocked_node(where_.nodes, i, m.n));
        continue;
      }
      const int first = i < m.n / 2 ? 0 : 2;
      for (const int j : {0, 1}) {
        const int node = apps::blocked_node(where_.nodes, first + j, 4);
        apps::place(m.row(i) + j * (m.n / 2), row_bytes / 2, node);
      }
    }
  }

  void fill(int i) const {
    auto state = static_cast<std::uint32_t>(i + 1);
    const auto next = [&state] {
      return (state = state * 1664525 + 1013904223) / 4294967296.0 - 0.5;
    };
    for (int j = 0; j < chosen_.size; ++j) {
      a_.all().row(i)[j] = next();
      b_.all().row(i)[j] = next();
      c_.all().row(i)[j] = 0;
    }
  }

  options chosen_;
  apps::setting where_;
  matrix a_;
  matrix b_;
  matrix c_;
};

}  // namespace strassen
