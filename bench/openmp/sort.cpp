// SPDX-License-Identifier: Apache-2.0
// Merge sort of four quarters with a merge that is parallel too, as Cilk's cilksort has it. Pieces
// of `grain` keys are left to one thread: a few keys (`no-cutoff`), or many.

#include "sort/keys.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "openmp/resized.hpp"
#include "openmp/runtime.hpp"

namespace {

using key = std::uint32_t;

struct range {
  key* first;
  key* last;
  std::ptrdiff_t size() const { return last - first; }
  range part(std::ptrdiff_t from, std::ptrdiff_t to) const { return {first + from, first + to}; }
};

/// Splits the longer input in the middle, and the other where that key belongs.
void merge(range a, range b, key* out, std::ptrdiff_t grain) {
  if (a.size() < b.size()) std::swap(a, b);
  if (a.size() + b.size() <= grain || b.size() == 0) {
    std::merge(a.first, a.last, b.first, b.last, out);
    return;
  }
  const std::ptrdiff_t middle = a.size() / 2;
  const std::ptrdiff_t place = std::lower_bound(b.first, b.last, a.first[middle]) - b.first;
#pragma omp task
  merge(a.part(0, middle), b.part(0, place), out, grain);
  merge(a.part(middle, a.size()), b.part(place, b.size()), out + middle + place, grain);
#pragma omp taskwait
}

/// Sorts `data`; `room` is as long.
void sort(range data, key* room, std::ptrdiff_t grain) {
  const std::ptrdiff_t n = data.size();
  if (n <= grain) {
    std::sort(data.first, data.last);
    return;
  }
  const std::ptrdiff_t cut[] = {0, n / 4, n / 2, n - n / 4, n};
  for (int i = 0; i < 4; ++i) {
#pragma omp task firstprivate(i) shared(cut)
    sort(data.part(cut[i], cut[i + 1]), room + cut[i], grain);
  }
#pragma omp taskwait
#pragma omp task shared(cut)
  merge(data.part(cut[0], cut[1]), data.part(cut[1], cut[2]), room, grain);
  merge(data.part(cut[2], cut[3]), data.part(cut[3], cut[4]), room + cut[2], grain);
#pragma omp taskwait
  const range halves{room, room + n};
  merge(halves.part(0, cut[2]), halves.part(cut[2], n), data.first, grain);
}

struct problem : bench::sort::random_problem {
  static constexpr const char* name = "openmp-sort";

  explicit problem(const bench::arguments& args)
      : bench::sort::random_problem(bench::openmp::resized(args, 2'000'000, 200'000)),
        room(input.size()) {}
  problem rehearsal() const { return bench::openmp::rehearsed<bench::sort::random_problem>(*this); }

  answer solve(std::ptrdiff_t grain) {
    return bench::openmp::in_single([&] {
      ::sort({data.data(), data.data() + data.size()}, room.data(), grain);
      return answer{};
    });
  }

  bench::sort::keys room;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::openmp::run<problem>(argc, argv,
                                     {{"no-cutoff", [](problem& p) { return p.solve(32); }},
                                      {"cutoff", [](problem& p) { return p.solve(4096); }}});
}
