// SPDX-License-Identifier: Apache-2.0
#include "fft/kernel.hpp"

namespace bench::fft::kernel {

void join(const number* even, const number* odd, number* out, const number* roots,
          std::size_t stride, std::size_t half, std::size_t begin, std::size_t end) {
  for (std::size_t k = begin; k < end; ++k) {
    const number turned = roots[k * stride] * odd[k];
    out[k] = even[k] + turned;
    out[k + half] = even[k] - turned;
  }
}

void transform(const number* in, std::size_t stride, std::size_t n, number* out, number* work,
               const number* roots) {
  if (n == 1) {
    *out = *in;
    return;
  }
  const std::size_t half = n / 2;
  transform(in, 2 * stride, half, work, out, roots);
  transform(in + stride, 2 * stride, half, work + half, out + half, roots);
  join(work, work + half, out, roots, stride, half, 0, half);
}

}  // namespace bench::fft::kernel
