// SPDX-License-Identifier: Apache-2.0
// Tasks compute 1 ms and sleep 1 ms in the system. The repaired twin says so.
#include <kasuri/kasuri.hpp>

#include <unistd.h>

#include "../program.h"

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  const std::uint64_t sum = kasuri::parallel_reduce(
      0L, scaled(p, 1200), 1L, std::uint64_t{0},
      [&](long i) {
        auto x = static_cast<std::uint64_t>(i);
        SPIN_US(x, 1000);
        const int failed = p.repaired ? kasuri::blocking([] { return usleep(1000); })
                                      : usleep(1000);  // planted: blocked
        return failed == 0 ? x : 0;
      },
      std::plus<>());
  return print_checksum(sum);
}
