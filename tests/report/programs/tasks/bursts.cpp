// SPDX-License-Identifier: Apache-2.0
// Bursts of 200 us of work, with pauses as long, in which the workers fall asleep: each burst
// begins with waking them. In the repaired twin the workers search for work through the pauses
// (KASURI_SPIN).
#include <kasuri/kasuri.hpp>

#include <cstdlib>
#include <ctime>

#include "../program.h"

namespace {

std::uint64_t burst(long turn) {
  return kasuri::parallel_reduce(
      0L, 20L, 1L, std::uint64_t{0},
      [turn](long i) {  // planted: wake
        auto x = static_cast<std::uint64_t>(turn * 20 + i);
        SPIN_US(x, 10);
        return x;
      },
      std::plus<>());
}

}  // namespace

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  if (p.repaired && setenv("KASURI_SPIN", "1000000", 1) != 0) return 1;
  std::uint64_t sum = 0;
  for (long turn = 0; turn != scaled(p, 2000); ++turn) {
    const timespec pause{0, 200'000};
    nanosleep(&pause, nullptr);
    sum += burst(turn);
  }
  return print_checksum(sum);
}
