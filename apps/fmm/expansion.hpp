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
/// The Laplacian of 1/r is 0: D_(a, b, c) = -D_(a+2, b, c-2) - D_(a, b+2, c-2). So multipoles with
/// c > 1 can be added to others without a change of the field, and those of the field follow from
/// others. Cells keep the (order + 1)^2 terms with c <= 1 ("kept"); all terms are "full".
///
/// Sources: Greengard and Rokhlin, "A fast algorithm for particle simulations", J. Comput. Phys.
/// 1987; Duan and Krasny, "An adaptive treecode for computing nonbonded potential energy in
/// classical molecular systems", J. Comput. Chem. 2001, for the recurrence.
namespace fmm {

using point = std::array<double, 3>;

inline constexpr int highest_order = 16;

/// Terms up to an order.
constexpr std::size_t full_terms(int order) {
  const auto p = static_cast<std::size_t>(order);
  return (p + 1) * (p + 2) * (p + 3) / 6;
}
/// Those of them that a cell keeps.
constexpr std::size_t kept_terms(int order) {
  const auto p = static_cast<std::size_t>(order);
  return (p + 1) * (p + 1);
}

/// How many fields are computed at a time: a line of doubles for each term.
inline constexpr std::size_t lanes = 8;
struct alignas(64) line {
  std::array<double, lanes> lane;
};

/// `lanes` sources as one target sees them.
struct sources {
  std::array<line, 3> distance;   ///< target minus source
  std::vector<line> multipoles;   ///< kept terms
  std::vector<line> derivatives;  ///< room
};

/// What depends on the order alone. Terms are sorted by |n|, so that those up to a lower order come
/// first.
class expansion {
 public:
  explicit expansion(int order);

  /// The tables of an order, made once.
  static const expansion& of(int order);

  std::size_t full() const { return full_terms(order_); }
  std::size_t kept() const { return kept_terms(order_); }

  /// Adds a mass at v from the centre to full multipoles.
  void add_mass(double mass, const point& v, double* full) const;
  /// Adds kept multipoles to full ones about a centre, from which the old one is at d.
  void shift_multipoles(const double* kept, const point& d, double* full) const;
  /// Kept multipoles with the same field as full ones, which are used up.
  void fold(double* full, double* kept) const;

  sources make_sources() const;
  /// Adds the fields of the sources to a kept field.
  void add_fields(sources& from, double* kept) const;
  /// Adds a kept field to one about a centre at d from its own.
  void shift_field(const double* from, const point& d, double* to) const;
  /// The full field of a kept one.
  void unfold(const double* kept, double* full) const;
  /// The gradient of the potential at u from the centre of a full field.
  point gradient(const double* full, const point& u) const;

 private:
  using triple = std::array<int, 3>;
  using place = std::uint16_t;

  /// v^n / n! by one multiplication from that of n - e_axis.
  struct power {
    place from;
    std::uint8_t axis;
    double factor;
  };
  /// n = k + rest.
  struct addition {
    place n;
    place k;
    place rest;
  };
  /// (a, b, c) with c > 1, and the terms that it is the negative sum of.
  struct laplace {
    place of;
    place x;
    place y;
  };
  /// How a derivative comes from those at m - e_i and m - 2 e_i.
  struct step {
    std::array<double, 3> once;   // -(2|m| - 1) m_i / |m|
    std::array<double, 3> twice;  // -(|m| - 1) m_i (m_i - 1) / |m|
    std::array<place, 3> once_at;
    std::array<place, 3> twice_at;
  };

  void make_powers();
  void make_shifts();
  void make_steps();
  void powers(const point& v, double* out) const;
  place at(const triple& n) const { return place_[key(n)]; }
  std::size_t key(const triple& n) const;

  template <class Vector>
  void derivatives(sources& from) const;
  template <class Vector>
  void fields(sources& from, double* kept) const;
  void fields_wide(sources& from, double* kept) const;

  int order_;
  std::vector<triple> index_;  // full terms
  std::vector<place> place_;   // by key(): in index_
  std::vector<place> kept_;    // places of the kept terms
  std::vector<power> powers_;
  std::vector<laplace> laplace_;      // by c, upwards
  std::vector<addition> shifts_;      // n full, k kept
  std::vector<step> steps_;           // of the derivatives, those with c <= 2
  std::vector<std::size_t> list_of_;  // for each kept k: where its list of n + k begins
  std::vector<place> list_;
  std::array<std::vector<place>, 3> next_;  // k + e_i, for |k| < order
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
