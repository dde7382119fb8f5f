// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Cartesian Taylor expansions of the potential 1/r, to an order chosen at run time.
///
/// With multi-indices n = (a, b, c), |n| = a + b + c, n! = a! b! c!:
/// - the multipoles of masses m_j at s + v_j about s are M_n = sum of m_j (-v_j)^n / n!;
/// - the field about t is L_k = sum over |n| <= order - |k| of M_n D_(n+k)(t - s), where D_m is the
///   m-th derivative of 1/r; the potential at t + u is the sum of L_k u^k / k!.
/// The derivatives come from the recurrence |m| r^2 D_m + (2|m| - 1) sum_i m_i R_i D_(m - e_i) +
/// (|m| - 1) sum_i m_i (m_i - 1) D_(m - 2 e_i) = 0.
///
/// Sources: Greengard and Rokhlin, "A fast algorithm for particle simulations", J. Comput. Phys. 1987;
/// Duan and Krasny, "An adaptive treecode for computing nonbonded potential energy", J. Comput. Chem.
/// 2001, for the recurrence.
namespace fmm {

using point = std::array<double, 3>;

inline constexpr int highest_order = 16;

/// Multi-indices up to an order.
constexpr std::size_t terms_of(int order) {
  const auto p = static_cast<std::size_t>(order);
  return (p + 1) * (p + 2) * (p + 3) / 6;
}

/// How many fields are computed at a time: a vector of doubles for each term.
inline constexpr std::size_t lanes = 8;
struct pack {
  using vector [[gnu::vector_size(lanes * sizeof(double))]] = double;
  vector v;
};

/// What depends on the order alone. Terms are sorted by |n|, so that the terms up to a lower order
/// come first.
class expansion {
 public:
  explicit expansion(int order);

  /// The tables of an order, made once.
  static const expansion& of(int order);

  int order() const { return order_; }
  std::size_t terms() const { return index_.size(); }

  /// Adds a mass at v from the centre to the multipoles.
  void add_mass(double mass, const point& v, double* multipoles) const;
  /// Adds multipoles about `from` to those about a centre at d from it, negative: d = from - to.
  void shift_multipoles(const double* from, const point& d, double* to) const;
  /// Adds the field about a centre to that about another one at d from it.
  void shift_field(const double* from, const point& d, double* to) const;
  /// The gradient of the potential at u from the centre of the field.
  point gradient(const double* field, const point& u) const;

  /// Multipoles of `lanes` sources and their distances from the target: t - s.
  struct sources {
    std::array<pack, 3> distance;
    std::vector<pack> multipoles;  ///< a pack for each term
    std::vector<pack> derivatives;
  };
  sources make_sources() const;
  /// Adds the fields of the sources.
  void add_fields(sources& from, double* field) const;

 private:
  using triple = std::array<int, 3>;

  std::size_t at(const triple& n) const;
  void powers(const point& v, double* out) const;
  void derivatives(sources& from) const;

  /// How a derivative comes from others: the indices of m - e_i and m - 2 e_i.
  struct step {
    std::array<double, 3> once;   // -(2|m| - 1) m_i / |m|
    std::array<double, 3> twice;  // -(|m| - 1) m_i (m_i - 1) / |m|
    std::array<std::uint16_t, 3> once_at;
    std::array<std::uint16_t, 3> twice_at;
  };

  /// n = k + rest: what shifting goes through.
  struct addition {
    std::uint16_t n;
    std::uint16_t k;
    std::uint16_t rest;
  };

  int order_;
  std::vector<triple> index_;
  std::vector<std::size_t> place_;        // of (a, b, c) in index_
  std::vector<step> steps_;               // for each term but the first
  std::vector<std::uint16_t> power_from_;  // n - e_axis
  std::vector<std::uint8_t> power_axis_;
  std::vector<double> power_factor_;      // 1 / n_axis
  std::vector<addition> sums_;
  std::vector<std::size_t> field_begin_;  // for each k: where its list of n + k begins
  std::vector<std::uint16_t> field_at_;
  std::array<std::vector<std::uint16_t>, 3> next_;  // k + e_i, for |k| < order
};

/// Positions and masses, coordinate by coordinate.
struct body_arrays {
  std::vector<double> x, y, z, mass;

  void clear();
  void add(const point& at, double m);
  std::size_t size() const { return x.size(); }
};

/// The acceleration at `at` by all bodies; one that is at the very same place adds nothing.
point attraction(const body_arrays& bodies, const point& at);

}  // namespace fmm
