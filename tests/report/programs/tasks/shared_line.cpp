// SPDX-License-Identifier: Apache-2.0
// Each worker counts in a counter of its own, and all counters lie in one cache line.
#include <kasuri/kasuri.hpp>

#include <atomic>
#include <cstddef>
#include <vector>

#include "../program.h"

namespace {

struct counter {
  std::atomic<std::uint64_t> n{0};
};
struct alignas(128) counter_alone : counter {};

template <class Counter>
std::uint64_t count(long blocks) {
  std::vector<Counter> counters(static_cast<std::size_t>(kasuri::max_slots()));
  kasuri::parallel_for(0L, blocks, 1, [&](long b) {
    std::atomic<std::uint64_t>& mine =
        counters[static_cast<std::size_t>(kasuri::this_task::slot())].n;
    auto x = static_cast<std::uint64_t>(b);
    for (long i = 0; i != 20'000; ++i) {
      SPIN(x, 1);
      const std::uint64_t one = x >> 63;
      mine.store(mine.load(std::memory_order_relaxed) + one,  // planted: stretch
                 std::memory_order_relaxed);
    }
  });
  std::uint64_t sum = 0;
  for (const Counter& c : counters) sum += c.n.load(std::memory_order_relaxed);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  const long blocks = scaled(p, 10'000);
  return print_checksum(p.repaired ? count<counter_alone>(blocks) : count<counter>(blocks));
}
