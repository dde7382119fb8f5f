// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>

// What is done without tasks: compiled once, the same code at the same place in a cache line for
// every system.
namespace bench::fft::kernel {

using number = std::complex<double>;

/// Joins the spectra of even and odd points, for k from begin to end.
void join(const number* even, const number* odd, number* out, const number* roots,
          std::size_t stride, std::size_t half, std::size_t begin, std::size_t end);

/// The transform of n points of `in`, each `stride` from the last, to `out`; `work` is as long.
void transform(const number* in, std::size_t stride, std::size_t n, number* out, number* work,
               const number* roots);

}  // namespace bench::fft::kernel
