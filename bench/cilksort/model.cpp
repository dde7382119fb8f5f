// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cilksort/kernel.hpp"
#include "cilksort/problem.hpp"

namespace {

using namespace bench::cilksort;
using keys = std::span<std::uint32_t>;

/// Merges a and b into `out`: the longer one is halved, the other cut where its half belongs.
template <class Way>
void merge(keys a, keys b, keys out) {
  if (a.size() < b.size()) std::swap(a, b);
  if (out.size() <= serial_merge) {
    return kernel::merge(a, b, out);
  }
  const std::size_t half = a.size() / 2;
  const auto cut =
      static_cast<std::size_t>(std::lower_bound(b.begin(), b.end(), a[half]) - b.begin());
  kasuri::model::fork_join<Way>(
      [=] { merge<Way>(a.subspan(half), b.subspan(cut), out.subspan(half + cut)); },
      [=] { merge<Way>(a.first(half), b.first(cut), out.first(half + cut)); });
}

/// Sorts `data`; the result ends in `scratch` when `away`.
template <class Way>
void sort(keys data, keys scratch, bool away) {
  if (data.size() <= serial_sort) {
    kernel::sort(data);
    if (away) std::copy(data.begin(), data.end(), scratch.begin());
    return;
  }
  const std::size_t half = data.size() / 2;
  kasuri::model::fork_join<Way>(
      [=] { sort<Way>(data.subspan(half), scratch.subspan(half), !away); },
      [=] { sort<Way>(data.first(half), scratch.first(half), !away); });
  const keys from = away ? data : scratch;
  merge<Way>(from.first(half), from.subspan(half), away ? scratch : data);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_model<problem>(argc, argv, []<class Way>(problem& p) {
    sort<Way>(p.data, p.scratch, false);
    return problem::answer{};
  });
}
