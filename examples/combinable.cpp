// SPDX-License-Identifier: Apache-2.0
// A histogram: each thread counts into bins of its own, which are added at the end.
#include <array>
#include <cstddef>
#include <cstdio>
#include <kasuri/kasuri.hpp>

namespace {

using bins = std::array<long, 16>;

}  // namespace

int main() {
  constexpr long n = 1'000'000;
  // bins:
  kasuri::combinable<bins> counts([] { return bins{}; });
  kasuri::parallel_for(0L, n,
                       [&](long i) { ++counts.local()[static_cast<std::size_t>(i * i % 16)]; });
  bins sum{};
  counts.combine_each([&](const bins& mine) {
    for (std::size_t b = 0; b != sum.size(); ++b) sum[b] += mine[b];
  });
  // end

  long all = 0;
  for (const long s : sum) all += s;
  std::printf("%ld of %ld in 16 bins\n", all, n);
  return all == n ? 0 : 1;
}
