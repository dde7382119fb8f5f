// SPDX-License-Identifier: Apache-2.0
// Strassen's product of square matrices: the seven products of the first level shared out by a
// loop, a task each at every level, and tasks for sums, products and results ordered by
// dependences. Checked by C x = A (B x) for a vector x.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "apps/kernels/squares.hpp"
#include "openmp/resized.hpp"
#include "openmp/runtime.hpp"

namespace {

using namespace bench;
using kernels::add;
using kernels::multiply;
using kernels::square;

constexpr int leaf = 64;  ///< rows of a product that is computed as it is defined

class matrix {
 public:
  explicit matrix(int n)
      : n_(n), values_(static_cast<std::size_t>(n) * static_cast<std::size_t>(n)) {}
  square all() { return {values_.data(), static_cast<std::size_t>(n_), n_}; }
  int size() const { return n_; }

  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < x.size(); ++j) y[i] += values_[i * x.size() + j] * x[j];
    }
    return y;
  }
  void fill(unsigned seed) {
    for (double& v : values_) v = (seed = seed * 1664525 + 1013904223) / 4294967296.0 - 0.5;
  }

 private:
  int n_;
  std::vector<double> values_;
};

/// What one of the seven products is made of: quarters of A and of B, two of them added.
struct operand {
  int first;
  int second;  ///< -1: the first alone
  double sign;
};
constexpr std::array<operand, 7> left = {
    {{0, 3, 1}, {2, 3, 1}, {0, -1, 0}, {3, -1, 0}, {0, 1, 1}, {2, 0, -1}, {1, 3, -1}}};
constexpr std::array<operand, 7> right = {
    {{0, 3, 1}, {0, -1, 0}, {1, 3, -1}, {2, 0, -1}, {3, -1, 0}, {0, 1, 1}, {2, 3, 1}}};
/// How much of each product is in each quarter of C.
constexpr double weight[4][7] = {
    {1, 0, 0, 1, -1, 0, 1}, {0, 0, 1, 0, 1, 0, 0}, {0, 1, 0, 1, 0, 0, 0}, {1, -1, 1, 0, 0, 1, 0}};

square quarter_of(const square& m, int which) { return m.quarter(which / 2, which % 2); }

/// The operand itself, or the sum in `room`.
square prepared(const square& m, const operand& what, matrix& room) {
  const square first = quarter_of(m, what.first);
  if (what.second < 0) return first;
  add(first, quarter_of(m, what.second), what.sign, room.all());
  return room.all();
}

/// The three temporaries of each of the seven products.
struct temporaries {
  explicit temporaries(int n) : sum_a(7, matrix(n)), sum_b(7, matrix(n)), products(7, matrix(n)) {}
  std::vector<matrix> sum_a;
  std::vector<matrix> sum_b;
  std::vector<matrix> products;
};

void combine(temporaries& t, const square& c, int which) {
  const square to = quarter_of(c, which);
  for (int i = 0; i < to.n; ++i) {
    std::fill_n(to.row(i), to.n, 0.0);
    for (std::size_t p = 0; p < 7; ++p) {
      if (weight[which][p] == 0) continue;
      const double* const from = t.products[p].all().row(i);
      double* const into = to.row(i);
#pragma omp simd
      for (int j = 0; j < to.n; ++j) into[j] += weight[which][p] * from[j];
    }
  }
}

using recursion = void (*)(const square&, const square&, const square&);

void product(const square& a, const square& b, temporaries& t, std::size_t p, recursion deeper) {
  const square x = prepared(a, left[p], t.sum_a[p]);
  const square y = prepared(b, right[p], t.sum_b[p]);
  deeper(x, y, t.products[p].all());
}

void serial(const square& a, const square& b, const square& c) {
  if (c.n <= leaf) return multiply(a, b, c);
  temporaries t(c.n / 2);
  for (std::size_t p = 0; p < 7; ++p) product(a, b, t, p, serial);
  for (int which = 0; which < 4; ++which) combine(t, c, which);
}

void by_loop(const square& a, const square& b, const square& c) {
  if (c.n <= leaf) return multiply(a, b, c);
  temporaries t(c.n / 2);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 1)
    for (std::size_t p = 0; p < 7; ++p) product(a, b, t, p, serial);
#pragma omp for schedule(dynamic, 1)
    for (int which = 0; which < 4; ++which) combine(t, c, which);
  }
}

void by_tasks(const square& a, const square& b, const square& c) {
  if (c.n <= leaf) return multiply(a, b, c);
  temporaries t(c.n / 2);
  for (std::size_t p = 0; p < 7; ++p) {
#pragma omp task shared(a, b, t) firstprivate(p)
    product(a, b, t, p, by_tasks);
  }
#pragma omp taskwait
  for (int which = 0; which < 4; ++which) {
#pragma omp task shared(t, c) firstprivate(which)
    combine(t, c, which);
  }
#pragma omp taskwait
}

void by_dependences(const square& a, const square& b, const square& c) {
  if (c.n <= leaf) return multiply(a, b, c);
  temporaries t(c.n / 2);
  square x[7];
  square y[7];
  [[maybe_unused]] char done[7];
  for (std::size_t p = 0; p < 7; ++p) {
#pragma omp task shared(a, t, x) firstprivate(p) depend(out : x[p])
    x[p] = prepared(a, left[p], t.sum_a[p]);
#pragma omp task shared(b, t, y) firstprivate(p) depend(out : y[p])
    y[p] = prepared(b, right[p], t.sum_b[p]);
#pragma omp task shared(t, x, y) firstprivate(p) depend(in : x[p], y[p]) depend(out : done[p])
    by_dependences(x[p], y[p], t.products[p].all());
  }
#pragma omp task shared(t, c) depend(in : done[0], done[3], done[4], done[6])
  combine(t, c, 0);
#pragma omp task shared(t, c) depend(in : done[2], done[4])
  combine(t, c, 1);
#pragma omp task shared(t, c) depend(in : done[1], done[3])
  combine(t, c, 2);
#pragma omp task shared(t, c) depend(in : done[0], done[1], done[2], done[5])
  combine(t, c, 3);
#pragma omp taskwait
}

struct problem {
  static constexpr const char* name = "openmp-strassen";
  struct answer {};

  explicit problem(const arguments& args) : problem(static_cast<int>(args.size_or(1024, 256))) {
    if (a.size() % leaf != 0 || (a.size() / leaf & (a.size() / leaf - 1)) != 0) {
      fail("--size=" + std::to_string(a.size()) + ": accepted: 64 times a power of two");
    }
  }
  explicit problem(int n) : a(n), b(n), c(n) {
    a.fill(1);
    b.fill(2);
  }
  problem rehearsal() const { return problem(std::min(a.size(), 4 * leaf)); }
  void prepare() { std::fill_n(c.all().data, c.all().stride * c.all().stride, 0.0); }

  std::string wrong(const answer&) const {
    const std::vector<double> ones(static_cast<std::size_t>(a.size()), 1.0);
    const auto expected = a.times(b.times(ones));
    const auto found = c.times(ones);
    double error = 0;
    for (std::size_t i = 0; i < ones.size(); ++i) {
      error = std::max(error, std::abs(found[i] - expected[i]));
    }
    return error <= 1e-9 * a.size() ? "" : "C x differs from A (B x) by " + std::to_string(error);
  }
  std::vector<metric> metrics(double seconds, const answer&) const {
    return openmp::only_time(seconds);
  }

  matrix a;
  matrix b;
  matrix c;
};

problem::answer in_tasks(problem& p, recursion start) {
  return openmp::in_single([&] {
    start(p.a.all(), p.b.all(), p.c.all());
    return problem::answer{};
  });
}

}  // namespace

int main(int argc, char** argv) {
  return openmp::run<problem>(argc, argv,
                              {{"for",
                                [](problem& p) {
                                  by_loop(p.a.all(), p.b.all(), p.c.all());
                                  return problem::answer{};
                                }},
                               {"task", [](problem& p) { return in_tasks(p, by_tasks); }},
                               {"depend", [](problem& p) { return in_tasks(p, by_dependences); }}});
}
