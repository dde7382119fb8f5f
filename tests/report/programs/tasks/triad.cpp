// SPDX-License-Identifier: Apache-2.0
// Sweeps over arrays that no cache holds, a few operations an element. The repaired twin makes all
// sweeps over a piece that a cache holds, then goes on to the next piece.
#include <kasuri/kasuri.hpp>

#include <bit>
#include <cstddef>
#include <memory>

#include "../program.h"

namespace {

constexpr std::size_t piece = 2048;

struct arrays {
  explicit arrays(std::size_t pieces)
      : a(std::make_unique_for_overwrite<double[]>(pieces * piece)),
        b(std::make_unique_for_overwrite<double[]>(pieces * piece)),
        c(std::make_unique_for_overwrite<double[]>(pieces * piece)) {
    kasuri::parallel_for(std::size_t{0}, pieces * piece, piece,
                         [&](std::size_t i) { a[i] = b[i] = c[i] = 1.0; });
  }
  std::unique_ptr<double[]> a, b, c;
};

void sweep(arrays& v, std::size_t from, double s) {
  double* const a = v.a.get() + from;
  const double* const b = v.b.get() + from;
  const double* const c = v.c.get() + from;
  for (std::size_t i = 0; i != piece; ++i) a[i] = a[i] * 0.5 + b[i] + s * c[i];  // planted: stretch
}

}  // namespace

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  const auto pieces = static_cast<std::size_t>(scaled(p, 8192));
  const int sweeps = 60;
  arrays v(pieces);
  const auto at = [&](std::size_t i, int s) { sweep(v, i * piece, s); };
  if (p.repaired)
    kasuri::parallel_for(std::size_t{0}, pieces, [&](std::size_t i) {
      for (int s = 0; s != sweeps; ++s) at(i, s);
    });
  else
    for (int s = 0; s != sweeps; ++s)
      kasuri::parallel_for(std::size_t{0}, pieces, [&](std::size_t i) { at(i, s); });
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < pieces * piece; i += piece + 1)
    sum += std::bit_cast<std::uint64_t>(v.a[i]);
  return print_checksum(sum);
}
