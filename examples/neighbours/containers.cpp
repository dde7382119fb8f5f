// SPDX-License-Identifier: Apache-2.0
// Containers of oneTBB and its allocator, used by tasks of Kasuri.
#include <kasuri/kasuri.hpp>

#include <oneapi/tbb/concurrent_hash_map.h>
#include <oneapi/tbb/concurrent_vector.h>
#include <oneapi/tbb/scalable_allocator.h>

#include <cstdio>
#include <string>
#include <vector>

int main() {
  constexpr int n = 100'000;
  // Map:
  tbb::concurrent_hash_map<int, long> sums;
  kasuri::parallel_for(0, n, [&](int i) {
    decltype(sums)::accessor entry;  // holds a lock: no call of Kasuri until it is gone
    sums.insert(entry, i % 100);
    entry->second += i;
  });
  // end

  // Vector:
  tbb::concurrent_vector<int> sevens;
  kasuri::parallel_for(0, n, [&](int i) {
    if (i % 7 == 0) sevens.push_back(i);
  });
  // end

  // Allocator:
  using name = std::vector<char, tbb::scalable_allocator<char>>;
  std::vector<name> names(1000);
  kasuri::parallel_for(0, 1000, [&](int i) { names[i].assign(i % 50, 'x'); });
  // end

  bool right = sums.size() == 100 && sevens.size() == (n + 6) / 7;
  for (const auto& [key, sum] : sums) right = right && sum == n / 100L * key + 499'500L * 100;
  for (int i = 0; i != 1000; ++i) right = right && names[i].size() == static_cast<unsigned>(i % 50);
  std::printf("%zu sums, %zu sevens: %s\n", sums.size(), sevens.size(), right ? "right" : "wrong");
  return right ? 0 : 1;
}
