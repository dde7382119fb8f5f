// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "apps/common/placement.hpp"
#include "apps/kernels/squares.hpp"

/// Strassen's product with Winograd's 15 sums, as BOTS and KASTORS have it: of the seven products,
/// four are computed where the quarters of C are, three in temporaries.
namespace strassen {

using kernels::square;

/// What one level needs beside A, B and C.
struct temporaries {
  explicit temporaries(int half) : pages(11 * bytes(half)) {
    for (std::size_t k = 0; k < s.size(); ++k) s[k] = part(k, half);
    m1 = part(8, half);
    m5 = part(9, half);
    m6 = part(10, half);
  }

  apps::memory pages;
  std::array<square, 8> s;  ///< sums of quarters of A (0 to 3) and of B (4 to 7)
  square m1;
  square m5;
  square m6;

 private:
  static std::size_t bytes(int half) {
    return static_cast<std::size_t>(half) * static_cast<std::size_t>(half) * sizeof(double);
  }
  square part(std::size_t k, int half) const {
    const auto n = static_cast<std::size_t>(half);
    return {pages.as<double>() + k * n * n, n, half};
  }
};

struct quarters {
  explicit quarters(const square& m)
      : q11(m.quarter(0, 0)), q12(m.quarter(0, 1)), q21(m.quarter(1, 0)), q22(m.quarter(1, 1)) {}
  square q11, q12, q21, q22;
};

/// to = x + sign * y
struct sum {
  square x;
  double sign;
  square y;
  square to;
};

/// In an order in which each needs only earlier ones: S1, S2, S4, S3 of A, S5, S6, S8, S7 of B.
inline std::array<sum, 8> sums(const square& a, const square& b, const temporaries& t) {
  const quarters qa(a);
  const quarters qb(b);
  const auto& s = t.s;
  return {{{qa.q21, 1, qa.q22, s[0]},
           {s[0], -1, qa.q11, s[1]},
           {qa.q12, -1, s[1], s[3]},
           {qa.q11, -1, qa.q21, s[2]},
           {qb.q12, -1, qb.q11, s[4]},
           {qb.q22, -1, s[4], s[5]},
           {s[5], -1, qb.q21, s[7]},
           {qb.q22, -1, qb.q12, s[6]}}};
}

/// to = x y
struct factors {
  square x;
  square y;
  square to;
};

/// The first `in_temporaries` have their result there, the others in quarters of C.
inline constexpr std::size_t in_temporaries = 3;
inline std::array<factors, 7> products(const square& a, const square& b, const square& c,
                                       const temporaries& t) {
  const quarters qa(a);
  const quarters qb(b);
  const quarters qc(c);
  const auto& s = t.s;
  return {{{qa.q11, qb.q11, t.m1},
           {s[0], s[4], t.m5},
           {s[1], s[5], t.m6},
           {s[2], s[6], qc.q22},
           {qa.q12, qb.q21, qc.q11},
           {s[3], qb.q22, qc.q12},
           {qa.q22, s[7], qc.q21}}};
}

/// In an order in which each needs only earlier ones; that of index `in_m6` has its result there,
/// the others in quarters of C.
inline constexpr std::size_t in_m6 = 1;
inline std::array<sum, 7> results(const square& c, const temporaries& t) {
  const quarters q(c);
  return {{{q.q11, 1, t.m1, q.q11},
           {t.m6, 1, t.m1, t.m6},
           {q.q22, 1, t.m6, q.q22},
           {q.q22, -1, q.q21, q.q21},
           {q.q22, 1, t.m5, q.q22},
           {q.q12, 1, t.m6, q.q12},
           {q.q12, 1, t.m5, q.q12}}};
}

/// All of them in one row: cells do not depend on those of other rows.
template <std::size_t N>
void add_rows(const std::array<sum, N>& all, int row) {
  for (const sum& each : all) kernels::add_row(each.x, each.y, each.sign, each.to, row);
}

/// c = a b on one thread; squares of up to `leaf` rows as the product is defined.
inline void serial(const square& a, const square& b, const square& c, int leaf) {
  if (c.n <= leaf) return kernels::multiply(a, b, c);
  const temporaries t(c.n / 2);
  for (const sum& each : sums(a, b, t)) kernels::add(each.x, each.y, each.sign, each.to);
  for (const factors& each : products(a, b, c, t)) serial(each.x, each.y, each.to, leaf);
  for (const sum& each : results(c, t)) kernels::add(each.x, each.y, each.sign, each.to);
}

}  // namespace strassen
