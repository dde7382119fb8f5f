// SPDX-License-Identifier: Apache-2.0
// Tasks of some 50 ns. The repaired twin has one task for a thousand of them.
#include <kasuri/kasuri.hpp>

#include <atomic>

#include "../program.h"

namespace {

constexpr long of_a_block = 1000;

std::uint64_t one(std::uint64_t seed) {
  SPIN(seed, 40);
  return seed;
}

std::uint64_t block_of_tasks(std::uint64_t seed) {
  std::atomic<std::uint64_t> sum[of_a_block];
  kasuri::task_group group;
  for (long i = 0; i != of_a_block; ++i)
    group.run([seed, i, &cell = sum[i]] {  // planted: short_tasks
      cell.store(one(seed + static_cast<std::uint64_t>(i)), std::memory_order_relaxed);
    });
  group.wait();
  std::uint64_t all = 0;
  for (const auto& cell : sum) all += cell.load(std::memory_order_relaxed);
  return all;
}

std::uint64_t block(std::uint64_t seed) {
  std::uint64_t all = 0;
  for (long i = 0; i != of_a_block; ++i) all += one(seed + static_cast<std::uint64_t>(i));
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  const std::uint64_t sum = kasuri::parallel_reduce(
      0L, scaled(p, 20'000), std::uint64_t{0},
      [&](long b) {
        const auto seed = static_cast<std::uint64_t>(b * of_a_block);
        return p.repaired ? block(seed) : block_of_tasks(seed);
      },
      std::plus<>());
  return print_checksum(sum);
}
