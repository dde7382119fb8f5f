// SPDX-License-Identifier: Apache-2.0
// Random programs that nest OpenMP, oneTBB, the parallel algorithms of C++17 and OpenBLAS in each
// other, compared with the same programs run serially:
//
//   runtimes_fuzz FIRST COUNT COPY...     seeds [FIRST, FIRST + COUNT), by several threads at once
//
// COPY is the stand-in for OpenBLAS (../blas). A program is a tree: each node runs its children in
// one of the ways below, and its value is a sum over theirs, which no order changes.
#include <dlfcn.h>
#include <omp.h>
#include <oneapi/tbb.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <execution>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

#include "../blas/stand_in_openblas.h"
#include "../onetbb/cases.hpp"

namespace {

using number = std::uint64_t;

number mix(number x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::vector<int (*)()> blas_calls;

// What a node is follows from its seed alone.
struct node {
  number seed;
  int depth;

  node child(int i) const { return {mix(seed + static_cast<number>(i) + 1), depth - 1}; }
  int children() const { return depth == 0 ? 0 : 1 + static_cast<int>(seed % 5); }
  number way(number ways) const { return (seed >> 8) % ways; }
  int threads() const { return 1 + static_cast<int>((seed >> 16) % 4); }
};

number serially(const node& n);
number in_parallel(const node& n);

number leaf(const node& n) {
  number v = n.seed;
  for (number i = 0; i != n.seed % 2000; ++i) v = mix(v + i);
  return v;
}

number serially(const node& n) {
  number sum = leaf(n);
  for (int i = 0; i != n.children(); ++i) sum += serially(n.child(i));
  return sum;
}

// ---- ways to run the children -------------------------------------------------------------------

number omp_for(const node& n) {
  number sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(n.threads()) schedule(dynamic)
  for (int i = 0; i < n.children(); ++i) sum += in_parallel(n.child(i));
  return sum;
}

/// Its members wait for each other before and behind the children.
number omp_barriers(const node& n) {
  number sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(n.threads())
  {
#pragma omp barrier
    for (int i = omp_get_thread_num(); i < n.children(); i += omp_get_num_threads())
      sum += in_parallel(n.child(i));
#pragma omp barrier
  }
  return sum;
}

number omp_tasks(const node& n) {
  std::atomic<number> sum{0};
#pragma omp parallel num_threads(n.threads())
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < n.children(); ++i) {
#pragma omp task firstprivate(i) shared(sum)
    sum += in_parallel(n.child(i));
  }
  return sum;
}

/// In whatever region is around.
number omp_orphans(const node& n) {
  std::atomic<number> sum{0};
#pragma omp taskloop grainsize(1) shared(sum)
  for (int i = 0; i < n.children(); ++i) sum += in_parallel(n.child(i));
  return sum;
}

number tbb_for(const node& n) {
  std::atomic<number> sum{0};
  tbb::parallel_for(
      0, n.children(), [&](int i) { sum += in_parallel(n.child(i)); }, tbb::simple_partitioner());
  return sum;
}

number tbb_reduce(const node& n) {
  return tbb::parallel_reduce(
      tbb::blocked_range<int>(0, n.children()), number{0},
      [&](const auto& r, number s) {
        for (int i = r.begin(); i != r.end(); ++i) s += in_parallel(n.child(i));
        return s;
      },
      std::plus<>());
}

number tbb_tasks(const node& n) {
  std::atomic<number> sum{0};
  tbb::task_group g;
  for (int i = 0; i != n.children(); ++i) g.run([&, i] { sum += in_parallel(n.child(i)); });
  g.wait();
  return sum;
}

number tbb_arena(const node& n) {
  tbb::task_arena arena(n.threads());
  return arena.execute([&] { return tbb_reduce(n); });
}

number tbb_isolated(const node& n) {
  return tbb::this_task_arena::isolate([&] { return tbb_for(n); });
}

std::vector<int> numbers_below(int n) {
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

number std_for_each(const node& n) {
  std::atomic<number> sum{0};
  const std::vector<int> all = numbers_below(n.children());
  std::for_each(std::execution::par, all.begin(), all.end(),
                [&](int i) { sum += in_parallel(n.child(i)); });
  return sum;
}

number std_reduce(const node& n) {
  const std::vector<int> all = numbers_below(n.children());
  return std::transform_reduce(std::execution::par, all.begin(), all.end(), number{0},
                               std::plus<>(), [&](int i) { return in_parallel(n.child(i)); });
}

/// A call, whose jobs wait for each other, and then the children.
number blas(const node& n) {
  CHECK(blas_calls[n.seed % blas_calls.size()]() != 0);
  number sum = 0;
  for (int i = 0; i != n.children(); ++i) sum += in_parallel(n.child(i));
  return sum;
}

number in_parallel(const node& n) {
  constexpr number (*ways[])(const node&) = {omp_for,      omp_barriers, omp_tasks,  omp_orphans,
                                             tbb_for,      tbb_reduce,   tbb_tasks,  tbb_arena,
                                             tbb_isolated, std_for_each, std_reduce, blas};
  return leaf(n) + ways[n.way(std::size(ways))](n);
}

// ---- programs -----------------------------------------------------------------------------------

void run(number seed) {
  const node root{mix(seed), 2 + static_cast<int>(mix(seed) % 4)};
  const number wanted = serially(root);
  const number found = in_parallel(root);
  if (found == wanted) return;
  std::fprintf(stderr, "seed %llu: %llx, serially %llx\n", static_cast<unsigned long long>(seed),
               static_cast<unsigned long long>(found), static_cast<unsigned long long>(wanted));
  std::_Exit(1);
}

}  // namespace

int main(int count, char** words) {
  CHECK(count > 3);
  const number first = std::strtoull(words[1], nullptr, 10);
  const number end = first + std::strtoull(words[2], nullptr, 10);
  std::vector<stand_in (*)()> looks;
  for (int i = 3; i != count; ++i) {
    void* const copy = dlopen(words[i], RTLD_NOW | RTLD_LOCAL);
    if (copy == nullptr) std::fprintf(stderr, "%s\n", dlerror());
    CHECK(copy != nullptr);
    blas_calls.push_back(reinterpret_cast<int (*)()>(dlsym(copy, "stand_in_call")));
    looks.push_back(reinterpret_cast<stand_in (*)()>(dlsym(copy, "stand_in_look")));
    CHECK(blas_calls.back() != nullptr && looks.back() != nullptr);
  }
  omp_set_max_active_levels(8);
  std::atomic<number> next{first};
  std::vector<std::thread> callers;
  for (int i = 0; i != 3; ++i)
    callers.emplace_back([&] {
      for (number seed; (seed = next++) < end;) run(seed);
    });
  for (std::thread& each : callers) each.join();
  for (const auto& look : looks) CHECK(look().errors == 0 && look().warnings == 0);
  std::puts("right");
}
