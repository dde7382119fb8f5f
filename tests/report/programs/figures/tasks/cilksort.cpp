// SPDX-License-Identifier: Apache-2.0
// Merge sort with parallel merges. A strand's work is the processor time that its thread had
// meanwhile: strands are long enough for that.
#include <kasuri/kasuri.hpp>

#include <algorithm>
#include <vector>

#include "../count.h"

namespace {

using words = std::uint32_t*;
constexpr std::ptrdiff_t shortest = 8192;

/// f as a strand; nanoseconds.
template <class F>
figures strand(F f) {
  const std::uint64_t before = ns_of_clock(CLOCK_THREAD_CPUTIME_ID);
  f();
  const std::uint64_t ran = ns_of_clock(CLOCK_THREAD_CPUTIME_ID) - before;
  return {ran, ran};
}

template <class F, class G>
figures invoke(F f, G g) {
  const auto [a, b] = kasuri::parallel_invoke(f, g);
  return beside(a, b);
}

figures merge(words a, words a_end, words b, words b_end, words to) {
  if (a_end - a < b_end - b) return merge(b, b_end, a, a_end, to);
  if ((a_end - a) + (b_end - b) < 2 * shortest)
    return strand([=] { std::merge(a, a_end, b, b_end, to); });
  words const a_half = a + (a_end - a) / 2;
  words const b_half = std::lower_bound(b, b_end, *a_half);
  words const to_half = to + (a_half - a) + (b_half - b);
  return invoke([=] { return merge(a, a_half, b, b_half, to); },
                [=] { return merge(a_half, a_end, b_half, b_end, to_half); });
}

/// Into `to`, or where it is.
figures sort(words a, words other, std::ptrdiff_t n, bool into_other) {
  if (n < shortest)
    return strand([=] {
      std::sort(a, a + n);
      if (into_other) std::copy(a, a + n, other);
    });
  const std::ptrdiff_t half = n / 2;
  const figures halves =
      invoke([=] { return sort(a, other, half, !into_other); },
             [=] { return sort(a + half, other + half, n - half, !into_other); });
  words const from = into_other ? a : other;
  words const to = into_other ? other : a;
  return then(halves, merge(from, from + half, from + half, from + n, to));
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::size_t size = 1'000'000;
  const long n = read_repetitions(argc, argv);
  figures all{};
  std::vector<std::uint32_t> keys(size);
  std::vector<std::uint32_t> other(size);
  kasuri::run([&] {
    std::uint64_t x = 1;
    for (long i = 0; i != n; ++i) {
      all = then(all, strand([&] {
                   for (auto& k : keys) {
                     x = x * 6364136223846793005u + 1442695040888963407u;
                     k = static_cast<std::uint32_t>(x >> 32);
                   }
                 }));
      all = then(all, sort(keys.data(), other.data(), size, false));
    }
  });
  return print_figures(1e-9 * static_cast<double>(all.work), 1e-9 * static_cast<double>(all.span));
}
