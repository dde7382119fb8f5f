// SPDX-License-Identifier: Apache-2.0
// A task puts work below itself and then runs for 10 ms without a point at which a thief could ask.
#include <kasuri/kasuri.hpp>

#include "../program.h"

namespace {

std::uint64_t leaf(std::uint64_t x, long us) {
  SPIN_US(x, us);  // planted: late_steal
  return x;
}

// The same in pieces, each a task.
std::uint64_t leaf_in_pieces(std::uint64_t x, long us) {
  for (long done = 0; done < us; done += 100) {
    SPIN_US(x, 100);
    kasuri::this_task::yield();
  }
  return x;
}

std::uint64_t chain(bool repaired, std::uint64_t seed, long n) {
  if (n == 0) return 0;
  auto [rest, here] = kasuri::parallel_invoke(
      [=] { return repaired ? leaf_in_pieces(seed, 10'000) : leaf(seed, 10'000); },
      [=] { return chain(repaired, seed + 1, n - 1); });
  return rest + here;
}

}  // namespace

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  return print_checksum(chain(p.repaired, 1, scaled(p, 200)));
}
