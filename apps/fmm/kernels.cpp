// SPDX-License-Identifier: Apache-2.0
// The two inner loops: fields of far cells, a lane each, and attraction by near bodies.
#include <cmath>

#include "fmm/expansion.hpp"

// On x86-64 a second version for wide vectors is chosen when the program starts.
#if defined(__x86_64__) && defined(__GNUC__)
#define FMM_WIDE [[gnu::target("avx2,fma")]]
static bool has_wide_vectors() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}
#else
#define FMM_WIDE
static bool has_wide_vectors() { return false; }
#endif

namespace fmm {
namespace {

using narrow [[gnu::vector_size(16), gnu::may_alias]] = double;
using wide [[gnu::vector_size(32), gnu::may_alias]] = double;

}  // namespace

template <class Vector>
[[gnu::always_inline]] inline void expansion::derivatives(sources& from) const {
  constexpr std::size_t parts = sizeof(line) / sizeof(Vector);
  const auto* const r = reinterpret_cast<const Vector*>(from.distance.data());
  auto* const d = reinterpret_cast<Vector*>(from.derivatives.data());
  for (std::size_t part = 0; part < parts; ++part) {
    const Vector x = r[part];
    const Vector y = r[parts + part];
    const Vector z = r[2 * parts + part];
    const Vector inverse = 1.0 / (x * x + y * y + z * z);
    const Vector scaled[3] = {x * inverse, y * inverse, z * inverse};
    Vector root = inverse;
    for (std::size_t w = 0; w < sizeof(Vector) / sizeof(double); ++w) root[w] = std::sqrt(root[w]);
    d[part] = root;
    for (std::size_t m = 1; m < steps_.size(); ++m) {
      const step& s = steps_[m];
      Vector sum{};
      Vector far{};
      for (std::size_t i = 0; i < 3; ++i) {
        sum += s.once[i] * scaled[i] * d[s.once_at[i] * parts + part];
        far += s.twice[i] * d[s.twice_at[i] * parts + part];
      }
      d[m * parts + part] = sum + far * inverse;
    }
  }
}

template <class Vector>
[[gnu::always_inline]] inline void expansion::fields(sources& from, double* kept_field) const {
  constexpr std::size_t parts = sizeof(line) / sizeof(Vector);
  derivatives<Vector>(from);
  const auto* const d = reinterpret_cast<const Vector*>(from.derivatives.data());
  const auto* const m = reinterpret_cast<const Vector*>(from.multipoles.data());
  for (std::size_t k = 0; k < kept(); ++k) {
    const place* const at = list_.data() + list_of_[k];
    const std::size_t count = list_of_[k + 1] - list_of_[k];
    Vector sum[parts] = {};
    for (std::size_t n = 0; n < count; ++n) {
      const Vector* const here = d + at[n] * parts;
      for (std::size_t part = 0; part < parts; ++part)
        sum[part] += m[n * parts + part] * here[part];
    }
    for (std::size_t part = 1; part < parts; ++part) sum[0] += sum[part];
    double total = 0;
    for (std::size_t w = 0; w < sizeof(Vector) / sizeof(double); ++w) total += sum[0][w];
    kept_field[k] += total;
  }
}

FMM_WIDE void expansion::fields_wide(sources& from, double* kept_field) const {
  fields<wide>(from, kept_field);
}

namespace {

[[gnu::always_inline]] inline point attract(const body_arrays& bodies, const point& at) {
  // Far below any distance that matters: the body itself then gives 0 times a large number.
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

FMM_WIDE point attract_wide(const body_arrays& bodies, const point& at) {
  return attract(bodies, at);
}

const bool use_wide = has_wide_vectors();

}  // namespace

void expansion::add_fields(sources& from, double* kept_field) const {
  use_wide ? fields_wide(from, kept_field) : fields<narrow>(from, kept_field);
}

point attraction(const body_arrays& bodies, const point& at) {
  return use_wide ? attract_wide(bodies, at) : attract(bodies, at);
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

}  // namespace fmm
