// SPDX-License-Identifier: Apache-2.0
// Tasks compute 1 ms and wait 1 ms for what they read. The repaired twin says so.
#include <kasuri/kasuri.hpp>

#include <sys/timerfd.h>
#include <unistd.h>

#include "../program.h"

namespace {

int timer_of_a_millisecond() {
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  const itimerspec once{{0, 0}, {0, 1'000'000}};
  return timer != -1 && timerfd_settime(timer, 0, &once, nullptr) == 0 ? timer : -1;
}

std::uint64_t expirations(int timer) {
  std::uint64_t n = 0;
  return read(timer, &n, sizeof n) == sizeof n ? n : 0;  // planted: blocked
}

std::uint64_t once(bool repaired) {
  const int timer = timer_of_a_millisecond();
  if (timer == -1) return 0;
  const std::uint64_t n =
      repaired ? kasuri::blocking([timer] { return expirations(timer); }) : expirations(timer);
  return close(timer) == 0 ? n : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  const std::uint64_t sum = kasuri::parallel_reduce(
      0L, scaled(p, 1200), 1L, std::uint64_t{0},
      [&](long i) {
        auto x = static_cast<std::uint64_t>(i);
        SPIN_US(x, 1000);
        return x + once(p.repaired);
      },
      std::plus<>());
  return print_checksum(sum);
}
