// SPDX-License-Identifier: Apache-2.0
// A merge sort of records that come in eight sorted runs: the halves are sorted side by side, and
// one task merges them. The repaired twin cuts each merge into pieces.
#include <kasuri/kasuri.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "../program.h"

namespace {

using items = std::span<const std::uint64_t>;
using room = std::span<std::uint64_t>;

void merge_by_one(items a, items b, room to) {
  std::size_t i = 0, k = 0;
  for (std::uint64_t& place : to) {
    const bool first = k == b.size() || (i != a.size() && a[i] <= b[k]);  // planted: parallelism
    place = first ? a[i++] : b[k++];
  }
}

void merge_by_all(items a, items b, room to) {
  if (to.size() <= 16'384) return merge_by_one(a, b, to);
  if (a.size() < b.size()) std::swap(a, b);
  const std::size_t half = a.size() / 2;
  const std::size_t other = std::lower_bound(b.begin(), b.end(), a[half]) - b.begin();
  kasuri::parallel_invoke(
      [=] { merge_by_all(a.first(half), b.first(other), to.first(half + other)); },
      [=] { merge_by_all(a.subspan(half), b.subspan(other), to.subspan(half + other)); });
}

struct sorter {
  bool repaired;
  std::size_t run;

  /// Sorts `from` into `to`, by `spare` of the same size.
  void sort(items from, room to, room spare) const {
    if (from.size() <= run) {
      std::ranges::copy(from, to.begin());
      if (!std::ranges::is_sorted(to)) std::ranges::sort(to);
      return;
    }
    const std::size_t half = from.size() / 2;
    const room left = spare.first(half), right = spare.subspan(half);
    kasuri::parallel_invoke([=, this] { sort(from.first(half), left, to.first(half)); },
                            [=, this] { sort(from.subspan(half), right, to.subspan(half)); });
    repaired ? merge_by_all(left, right, to) : merge_by_one(left, right, to);
  }
};

std::vector<std::uint64_t> sorted_runs(std::size_t run) {
  std::vector<std::uint64_t> all(8 * run);
  std::uint64_t x = 1;
  for (std::size_t i = 0; i != all.size(); ++i) {
    SPIN(x, 1);
    all[i] = (x >> 40) + (i % run == 0 ? 0 : all[i - 1]);
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  const sorter s{p.repaired, static_cast<std::size_t>(262'144)};
  const std::vector<std::uint64_t> from = sorted_runs(s.run);
  std::vector<std::uint64_t> to(from.size()), spare(from.size());
  std::uint64_t sum = 0;
  for (long turn = 0; turn != scaled(p, 30); ++turn) {
    s.sort(from, to, spare);
    for (std::size_t i = 0; i < to.size(); i += 997) sum = sum * 31 + to[i];
  }
  return print_checksum(std::ranges::is_sorted(to) ? sum : 0);
}
