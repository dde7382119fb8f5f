// SPDX-License-Identifier: Apache-2.0
// Runs that do nothing, to see what they cost: behind one that wrote, and behind one that did not.

#include "cluster/base/process.hpp"
#include "kasuri/global/parallel_for.hpp"
#include "machine.hpp"

namespace kasuri::tools::cluster {
namespace {

constexpr std::uint64_t blocks_of_a_rank = 8;
std::uint64_t array = 0;

/// All of it, or so little that notices of two blocks do not touch.
void write_block(const setup& s, std::uint64_t index) {
  using namespace kasuri::cluster;
  const std::uint64_t bytes = s.scattered ? 8 : s.block_bytes;
  memory& m = *current_process->memory;
  const held h = m.checkout(array + index * s.block_bytes, bytes, access::write);
  compute(1000);
  settle();
  if (h.kept != nullptr) m.check_in(*h.kept);
}

}  // namespace

measured runs(setup s) {
  s.array_bytes = static_cast<std::uint64_t>(s.ranks) * blocks_of_a_rank * s.block_bytes;
  s.runs = 7;
  return run(
      s, [&s](kasuri::cluster::memory& m) { array = m.arrays().add_blocked(s.array_bytes); },
      [](const setup& how) {
        if (!how.data || how.number % 3 != 0) return;
        const std::uint64_t all = how.array_bytes / how.block_bytes;
        global::parallel_for(std::uint64_t{0}, all, 1, [how](std::uint64_t from, std::uint64_t to) {
          for (std::uint64_t i = from; i != to; ++i) write_block(how, i);
        });
      });
}

}  // namespace kasuri::tools::cluster
