// SPDX-License-Identifier: Apache-2.0
// All workers add to the same 64 counters. The repaired twin has counters for each worker, and adds
// those up at the end.
#include <kasuri/kasuri.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

#include "../program.h"

namespace {

constexpr std::size_t bins = 64;
struct alignas(128) table : std::array<std::atomic<std::uint64_t>, bins> {};

std::uint64_t count(long blocks, bool repaired) {
  std::vector<table> tables(repaired ? static_cast<std::size_t>(kasuri::max_slots()) : 1);
  kasuri::parallel_for(0L, blocks, 1, [&](long b) {
    table& mine = tables[repaired ? static_cast<std::size_t>(kasuri::this_task::slot()) : 0];
    auto x = static_cast<std::uint64_t>(b);
    for (long i = 0; i != 10'000; ++i) {
      SPIN(x, 8);
      mine[x >> 58].fetch_add(x & 0xff, std::memory_order_relaxed);  // planted: stretch
    }
  });
  std::uint64_t sum = 0;
  for (const table& t : tables)
    for (std::size_t i = 0; i != bins; ++i) sum += t[i].load(std::memory_order_relaxed) * (i + 1);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  return print_checksum(count(scaled(p, 6'000), p.repaired));
}
