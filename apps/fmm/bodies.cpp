// SPDX-License-Identifier: Apache-2.0
#include "fmm/bodies.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <kasuri/global/algorithm.hpp>
#include <kasuri/global/parallel_for.hpp>

namespace fmm {
namespace {

/// The mixing function of Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014: number `which` of body i, in [0, 1).
double uniform(std::uint64_t seed, std::size_t i, unsigned which) {
  std::uint64_t z = seed * 0xD1342543DE82EF95u + (8 * i + which + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

point on_sphere(double radius, double u, double v) {
  const double z = 2 * u - 1;
  const double ring = std::sqrt(std::max(1 - z * z, 0.0));
  const double angle = 2 * std::numbers::pi * v;
  return {radius * ring * std::cos(angle), radius * ring * std::sin(angle), radius * z};
}

/// The radius within which Plummer's model with scale length 1 has that share of its mass; Aarseth,
/// Henon and Wielen, "A comparison of numerical methods for the study of star cluster dynamics",
/// Astron. Astrophys. 1974.
double plummer_radius(double share) { return 1 / std::sqrt(std::pow(share, -2.0 / 3.0) - 1); }

std::uint64_t spread_bits(std::uint64_t x) {
  x = (x | x << 32) & 0x001F00000000FFFFu;
  x = (x | x << 16) & 0x001F0000FF0000FFu;
  x = (x | x << 8) & 0x100F00F00F00F00Fu;
  x = (x | x << 4) & 0x10C30C30C30C30C3u;
  return (x | x << 2) & 0x1249249249249249u;
}

std::uint64_t key_of(const point& at, const cube& around) {
  constexpr double cells = 1u << deepest_level;
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double x = (at[i] - around.corner[i]) / around.side * cells;
    key |= spread_bits(static_cast<std::uint64_t>(std::clamp(x, 0.0, cells - 1))) << (2 - i);
  }
  return key;
}

struct box {
  point low;
  point high;
};

}  // namespace

body make_body(distribution d, std::uint64_t seed, std::size_t i, std::size_t n) {
  const double u = uniform(seed, i, 0);
  const double v = uniform(seed, i, 1);
  const double w = uniform(seed, i, 2);
  body b{0, {}, 1.0 / static_cast<double>(n)};
  switch (d) {
    case distribution::cube:
      b.at = {u, v, w};
      break;
    case distribution::sphere:
      b.at = on_sphere(1, u, v);
      break;
    case distribution::plummer: {
      const double inside_ten = std::pow(1 + 1 / 100.0, -1.5);  // the share of mass
      b.at = on_sphere(plummer_radius(std::max(w, 1e-12) * inside_ten), u, v);
      break;
    }
  }
  return b;
}

void make_bodies(global::view<body> all, distribution d, std::uint64_t seed) {
  const std::size_t n = all.size();
  global::parallel_for(std::size_t{0}, n, std::size_t{1024}, [=](std::size_t lo, std::size_t hi) {
    const auto x = global::checkout(all.subview(lo, hi - lo), global::write);
    for (std::size_t i = lo; i < hi; ++i) x[i - lo] = make_body(d, seed, i, n);
  });
}

cube cube_around(global::view<body> all) {
  const auto join = [](box a, const box& b) {
    for (std::size_t i = 0; i < 3; ++i) {
      a.low[i] = std::min(a.low[i], b.low[i]);
      a.high[i] = std::max(a.high[i], b.high[i]);
    }
    return a;
  };
  const body first = global::get(all.begin());
  const box around = global::transform_reduce(all, box{first.at, first.at}, join,
                                              [](const body& b) { return box{b.at, b.at}; });
  double side = 1e-300;
  for (std::size_t i = 0; i < 3; ++i) side = std::max(side, around.high[i] - around.low[i]);
  return {around.low, side};
}

void sort_bodies(global::view<body> all, global::view<body> spare, const cube& around) {
  global::for_each(all, [around](body& b) { b.key = key_of(b.at, around); });
  global::sort(all, spare, [](const body& a, const body& b) { return a.key < b.key; });
}

}  // namespace fmm
