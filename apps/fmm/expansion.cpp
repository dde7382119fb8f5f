// SPDX-License-Identifier: Apache-2.0
#include "fmm/expansion.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

// The inner loops are compiled for more than one x86-64, and chosen from when the program starts.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define FMM_CLONES [[gnu::target_clones("arch=haswell", "default")]]
#else
#define FMM_CLONES
#endif

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

std::size_t expansion::at(const triple& n) const {
  const int side = order_ + 1;
  return place_[static_cast<std::size_t>((n[0] * side + n[1]) * side + n[2])];
}

expansion::expansion(int order) : order_(order) {
  const int side = order + 1;
  place_.resize(static_cast<std::size_t>(side * side * side));
  for (int d = 0; d <= order; ++d)
    for (int a = d; a >= 0; --a)
      for (int b = d - a; b >= 0; --b) {
        place_[static_cast<std::size_t>((a * side + b) * side + d - a - b)] = index_.size();
        index_.push_back({a, b, d - a - b});
      }
  for (const triple& m : index_) {
    step s{};
    std::size_t axis = 3;
    for (std::size_t i = 0; i < 3; ++i) {
      triple less = m;
      if (--less[i] < 0) continue;
      axis = i;
      const double d = degree(m);
      s.once[i] = -(2 * d - 1) * m[i] / d;
      s.once_at[i] = static_cast<std::uint16_t>(at(less));
      if (--less[i] < 0) continue;
      s.twice[i] = -(d - 1) * m[i] * (m[i] - 1) / d;
      s.twice_at[i] = static_cast<std::uint16_t>(at(less));
    }
    steps_.push_back(s);
    power_axis_.push_back(static_cast<std::uint8_t>(axis % 3));
    power_from_.push_back(axis == 3 ? std::uint16_t{0} : s.once_at[axis]);
    power_factor_.push_back(axis == 3 ? 1.0 : 1.0 / m[axis]);
  }
  for (std::size_t n = 0; n < terms(); ++n)
    for (std::size_t k = 0; k < terms(); ++k) {
      const triple& big = index_[n];
      const triple& small = index_[k];
      const triple rest = {big[0] - small[0], big[1] - small[1], big[2] - small[2]};
      if (*std::min_element(rest.begin(), rest.end()) < 0) continue;
      sums_.push_back({static_cast<std::uint16_t>(n), static_cast<std::uint16_t>(k),
                       static_cast<std::uint16_t>(at(rest))});
    }
  for (const triple& k : index_) {
    field_begin_.push_back(field_at_.size());
    for (std::size_t n = 0; n < terms_of(order - degree(k)); ++n) {
      const triple& other = index_[n];
      field_at_.push_back(static_cast<std::uint16_t>(
          at({k[0] + other[0], k[1] + other[1], k[2] + other[2]})));
    }
    for (std::size_t i = 0; i < 3 && degree(k) < order; ++i) {
      triple more = k;
      ++more[i];
      next_[i].push_back(static_cast<std::uint16_t>(at(more)));
    }
  }
  field_begin_.push_back(field_at_.size());
}

/// v^n / n! for all terms.
void expansion::powers(const point& v, double* out) const {
  out[0] = 1;
  for (std::size_t n = 1; n < terms(); ++n)
    out[n] = out[power_from_[n]] * v[power_axis_[n]] * power_factor_[n];
}

void expansion::add_mass(double mass, const point& v, double* multipoles) const {
  std::array<double, terms_of(highest_order)> power;
  powers({-v[0], -v[1], -v[2]}, power.data());
  for (std::size_t n = 0; n < terms(); ++n) multipoles[n] += mass * power[n];
}

void expansion::shift_multipoles(const double* from, const point& d, double* to) const {
  std::array<double, terms_of(highest_order)> power;
  powers({-d[0], -d[1], -d[2]}, power.data());
  for (const addition& s : sums_) to[s.n] += from[s.k] * power[s.rest];
}

void expansion::shift_field(const double* from, const point& d, double* to) const {
  std::array<double, terms_of(highest_order)> power;
  powers(d, power.data());
  for (const addition& s : sums_) to[s.k] += from[s.n] * power[s.rest];
}

point expansion::gradient(const double* field, const point& u) const {
  std::array<double, terms_of(highest_order)> power;
  powers(u, power.data());
  point g{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < next_[i].size(); ++k) g[i] += field[next_[i][k]] * power[k];
  return g;
}

expansion::sources expansion::make_sources() const {
  return {{}, std::vector<pack>(terms()), std::vector<pack>(terms())};
}

FMM_CLONES void expansion::derivatives(sources& from) const {
  using vector = pack::vector;
  const auto& r = from.distance;
  pack* const d = from.derivatives.data();
  const vector square = r[0].v * r[0].v + r[1].v * r[1].v + r[2].v * r[2].v;
  const vector inverse = 1.0 / square;
  for (std::size_t w = 0; w < lanes; ++w) d[0].v[w] = std::sqrt(inverse[w]);
  const std::array<pack, 3> scaled = {{{r[0].v * inverse}, {r[1].v * inverse}, {r[2].v * inverse}}};
  for (std::size_t m = 1; m < terms(); ++m) {
    const step& s = steps_[m];
    vector sum{};
    vector far{};
    for (std::size_t i = 0; i < 3; ++i) {
      sum += s.once[i] * scaled[i].v * d[s.once_at[i]].v;
      far += s.twice[i] * d[s.twice_at[i]].v;
    }
    d[m].v = sum + far * inverse;
  }
}

FMM_CLONES void expansion::add_fields(sources& from, double* field) const {
  using vector = pack::vector;
  derivatives(from);
  const pack* const d = from.derivatives.data();
  const pack* const m = from.multipoles.data();
  for (std::size_t k = 0; k < terms(); ++k) {
    const std::uint16_t* const at = field_at_.data() + field_begin_[k];
    const std::size_t count = field_begin_[k + 1] - field_begin_[k];
    vector even{};
    vector odd{};
    std::size_t n = 0;
    for (; n + 1 < count; n += 2) {
      even += m[n].v * d[at[n]].v;
      odd += m[n + 1].v * d[at[n + 1]].v;
    }
    if (n < count) even += m[n].v * d[at[n]].v;
    const vector sum = even + odd;
    double total = 0;
    for (std::size_t w = 0; w < lanes; ++w) total += sum[w];
    field[k] += total;
  }
}

void body_arrays::clear() {
  for (std::vector<double>* each : {&x, &y, &z, &mass}) each->clear();
}

void body_arrays::add(const point& at, double m) {
  x.push_back(at[0]);
  y.push_back(at[1]);
  z.push_back(at[2]);
  mass.push_back(m);
}

FMM_CLONES point attraction(const body_arrays& bodies, const point& at) {
  // Far below any distance that matters: the body itself then gives 0 * a large number.
  constexpr double tiny = 1e-60;
  const double* const x = bodies.x.data();
  const double* const y = bodies.y.data();
  const double* const z = bodies.z.data();
  const double* const mass = bodies.mass.data();
  const std::size_t n = bodies.size();
  double ax = 0;
  double ay = 0;
  double az = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double dx = x[j] - at[0];
    const double dy = y[j] - at[1];
    const double dz = z[j] - at[2];
    const double square = dx * dx + dy * dy + dz * dz + tiny;
    const double scale = mass[j] / (square * std::sqrt(square));
    ax += scale * dx;
    ay += scale * dy;
    az += scale * dz;
  }
  return {ax, ay, az};
}

}  // namespace fmm
