// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include "common/bench.hpp"

/// The discrete Fourier transform of n = 2^k complex numbers by halves (Cooley and Tukey). The
/// input is a sum of waves, so that the spectrum is known.
namespace bench::fft {

using number = std::complex<double>;
inline constexpr std::size_t serial_size = 1024;  ///< points transformed without tasks

struct wave {
  std::size_t frequency;
  double amplitude;
};

struct problem {
  static constexpr const char* name = "fft";
  struct answer {};  ///< the spectrum stays in the problem

  explicit problem(const arguments& args)
      : problem(std::bit_ceil(static_cast<std::size_t>(args.size_or(1 << 21, 1 << 17)))) {}
  explicit problem(std::size_t size) : n(size), roots(n / 2), input(n), work(n), spectrum(n) {
    for (std::size_t i = 0; i < roots.size(); ++i) roots[i] = root(i);
    for (std::size_t i = 0; i < n; ++i) {
      for (const wave& w : waves()) input[i] += w.amplitude * std::conj(root(i * w.frequency % n));
    }
  }
  problem rehearsal() const { return problem(std::min<std::size_t>(n, 1 << 13)); }
  void prepare() { std::fill(spectrum.begin(), spectrum.end(), number{}); }

  std::string wrong(const answer&) const {
    std::vector<number> expected(n);
    for (const wave& w : waves()) expected[w.frequency] += w.amplitude * static_cast<double>(n);
    double error = 0;
    for (std::size_t i = 0; i < n; ++i) {
      error = std::max(error, std::abs(spectrum[i] - expected[i]));
    }
    const double allowed = 1e-12 * static_cast<double>(n);
    return error <= allowed ? "" : "the spectrum is off by " + std::to_string(error);
  }
  std::vector<metric> metrics(double seconds, const answer&) const {
    const double points = static_cast<double>(n);
    return {{"time", "s", seconds},
            {"rate", "GFLOP/s", 5 * points * std::log2(points) / seconds * 1e-9}};
  }

  std::size_t n;
  std::vector<number> roots;  ///< exp(-2 pi i k / n)
  std::vector<number> input;
  std::vector<number> work;
  std::vector<number> spectrum;

 private:
  number root(std::size_t k) const {
    return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  }
  std::vector<wave> waves() const { return {{0, 0.5}, {3 % n, 1}, {n / 4 + 1, 2}, {n - 2, 0.25}}; }
};

}  // namespace bench::fft
