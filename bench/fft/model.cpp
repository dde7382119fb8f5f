// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include <cstddef>

#include "fft/kernel.hpp"
#include "fft/problem.hpp"

namespace {

using namespace bench::fft;

/// Joins the spectra of even and odd points, for k from begin to end; the halves are tasks.
template <class Way>
void join(const number* even, const number* odd, number* out, const number* roots,
          std::size_t stride, std::size_t half, std::size_t begin, std::size_t end) {
  if (end - begin <= serial_size) {
    kernel::join(even, odd, out, roots, stride, half, begin, end);
    return;
  }
  const std::size_t middle = begin + (end - begin) / 2;
  kasuri::model::fork_join<Way>(
      [=] { join<Way>(even, odd, out, roots, stride, half, middle, end); },
      [=] { join<Way>(even, odd, out, roots, stride, half, begin, middle); });
}

/// The transform of n points of `in`, each `stride` from the last. `work` is as long as `out`; the
/// halves are transformed there, with `out` as their room to work in.
template <class Way>
void transform(const number* in, std::size_t stride, std::size_t n, number* out, number* work,
               const number* roots) {
  if (n <= serial_size) return kernel::transform(in, stride, n, out, work, roots);
  const std::size_t half = n / 2;
  const auto first = [=] { transform<Way>(in, 2 * stride, half, work, out, roots); };
  const auto second = [=] {
    transform<Way>(in + stride, 2 * stride, half, work + half, out + half, roots);
  };
  kasuri::model::fork_join<Way>(second, first);
  join<Way>(work, work + half, out, roots, stride, half, 0, half);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_model<problem>(argc, argv, []<class Way>(problem& p) {
    transform<Way>(p.input.data(), 1, p.n, p.spectrum.data(), p.work.data(), p.roots.data());
    return problem::answer{};
  });
}
