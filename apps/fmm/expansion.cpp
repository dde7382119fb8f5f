// SPDX-License-Identifier: Apache-2.0
#include "fmm/expansion.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

namespace fmm {
namespace {

int degree(const std::array<int, 3>& n) { return n[0] + n[1] + n[2]; }

}  // namespace

const expansion& expansion::of(int order) {
  static std::array<std::once_flag, highest_order + 1> made;
  static std::array<std::unique_ptr<expansion>, highest_order + 1> all;
  const auto i = static_cast<std::size_t>(order);
  std::call_once(made[i], [&] { all[i] = std::make_unique<expansion>(order); });
  return *all[i];
}

std::size_t expansion::key(const triple& n) const {
  const int side = order_ + 1;
  return static_cast<std::size_t>((n[0] * side + n[1]) * side + n[2]);
}

expansion::expansion(int order) : order_(order) {
  place_.resize(key({order, order, order}) + 1);
  for (int d = 0; d <= order; ++d)
    for (int c = 0; c <= d; ++c)
      for (int a = d - c; a >= 0; --a) {
        const triple n = {a, d - c - a, c};
        place_[key(n)] = static_cast<place>(index_.size());
        if (c <= 1) kept_.push_back(static_cast<place>(index_.size()));
        index_.push_back(n);
      }
  make_powers();
  make_shifts();
  make_steps();
}

void expansion::make_powers() {
  for (const triple& n : index_) {
    power p{0, 0, 1};
    for (std::size_t i = 0; i < 3; ++i) {
      triple less = n;
      if (--less[i] >= 0) p = {at(less), static_cast<std::uint8_t>(i), 1.0 / n[i]};
    }
    powers_.push_back(p);
    for (std::size_t i = 0; i < 3 && degree(n) < order_; ++i) {
      triple more = n;
      ++more[i];
      next_[i].push_back(at(more));
    }
  }
}

void expansion::make_shifts() {
  for (int c = 2; c <= order_; ++c)
    for (const triple& n : index_)
      if (n[2] == c)
        laplace_.push_back({at(n), at({n[0] + 2, n[1], c - 2}), at({n[0], n[1] + 2, c - 2})});
  for (const triple& n : index_)
    for (std::size_t k = 0; k < kept(); ++k) {
      const triple& small = index_[kept_[k]];
      const triple rest = {n[0] - small[0], n[1] - small[1], n[2] - small[2]};
      if (*std::min_element(rest.begin(), rest.end()) < 0) continue;
      shifts_.push_back({at(n), static_cast<place>(k), at(rest)});
    }
}

// Derivatives have an order of their own: those with c <= 2 alone, by degree.
void expansion::make_steps() {
  std::vector<place> seat(place_.size());
  place next = 0;
  for (const triple& m : index_) {
    if (m[2] > 2) continue;
    seat[key(m)] = next++;
    step s{};
    const double d = degree(m);
    for (std::size_t i = 0; i < 3; ++i) {
      triple less = m;
      if (--less[i] < 0) continue;
      s.once[i] = -(2 * d - 1) * m[i] / d;
      s.once_at[i] = seat[key(less)];
      if (--less[i] < 0) continue;
      s.twice[i] = -(d - 1) * m[i] * (m[i] - 1) / d;
      s.twice_at[i] = seat[key(less)];
    }
    steps_.push_back(s);
  }
  for (const place k : kept_) {
    const triple& one = index_[k];
    list_of_.push_back(list_.size());
    for (std::size_t n = 0; n < kept_terms(order_ - degree(one)); ++n) {
      const triple& two = index_[kept_[n]];
      list_.push_back(seat[key({one[0] + two[0], one[1] + two[1], one[2] + two[2]})]);
    }
  }
  list_of_.push_back(list_.size());
}

/// v^n / n! for all terms.
void expansion::powers(const point& v, double* out) const {
  out[0] = 1;
  for (std::size_t n = 1; n < full(); ++n)
    out[n] = out[powers_[n].from] * v[powers_[n].axis] * powers_[n].factor;
}

void expansion::add_mass(double mass, const point& v, double* full_multipoles) const {
  std::array<double, full_terms(highest_order)> p;
  powers({-v[0], -v[1], -v[2]}, p.data());
  for (std::size_t n = 0; n < full(); ++n) full_multipoles[n] += mass * p[n];
}

void expansion::shift_multipoles(const double* kept_multipoles, const point& d,
                                 double* full_multipoles) const {
  std::array<double, full_terms(highest_order)> p;
  powers({-d[0], -d[1], -d[2]}, p.data());
  for (const addition& s : shifts_) full_multipoles[s.n] += kept_multipoles[s.k] * p[s.rest];
}

void expansion::fold(double* full_multipoles, double* kept_multipoles) const {
  for (auto l = laplace_.rbegin(); l != laplace_.rend(); ++l) {
    full_multipoles[l->x] -= full_multipoles[l->of];
    full_multipoles[l->y] -= full_multipoles[l->of];
  }
  for (std::size_t k = 0; k < kept(); ++k) kept_multipoles[k] = full_multipoles[kept_[k]];
}

void expansion::shift_field(const double* from, const point& d, double* to) const {
  std::array<double, full_terms(highest_order)> p;
  std::array<double, full_terms(highest_order)> all;
  powers(d, p.data());
  unfold(from, all.data());
  for (const addition& s : shifts_) to[s.k] += all[s.n] * p[s.rest];
}

void expansion::unfold(const double* kept_field, double* full_field) const {
  for (std::size_t k = 0; k < kept(); ++k) full_field[kept_[k]] = kept_field[k];
  for (const laplace& l : laplace_) full_field[l.of] = -full_field[l.x] - full_field[l.y];
}

point expansion::gradient(const double* full_field, const point& u) const {
  std::array<double, full_terms(highest_order)> p;
  powers(u, p.data());
  point g{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < next_[i].size(); ++k) g[i] += full_field[next_[i][k]] * p[k];
  return g;
}

sources expansion::make_sources() const {
  return {{}, std::vector<line>(kept()), std::vector<line>(steps_.size())};
}

}  // namespace fmm
