// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs that meet the system's limit of mappings (vm.max_map_count).

#include <sys/mman.h>

#include <atomic>
#include <cstddef>

#include "kasuri/kasuri.hpp"
#include "platform/memory/mapping_limit.hpp"
#include "platform/memory/memory.hpp"

namespace kasuri::test {

/// Takes mappings until the process has about `leave` left of what the system allows; with 0 until
/// it is refused one more.
inline void use_up_mappings(std::size_t leave) {
  const auto page = platform::page_size();
  const std::size_t take = platform::most_mappings() - platform::mappings() - leave;
  auto* const all = static_cast<std::byte*>(platform::reserve(take * page));
  // Each second page: two mappings more.
  for (std::size_t i = 1; all != nullptr && i + 1 < take; i += 2)
    if (mprotect(all + i * page, page, PROT_READ) != 0) break;
  // A new mapping merges with its neighbour unless it differs from it.
  for (int access = PROT_READ; leave == 0; access ^= PROT_READ)
    if (mmap(nullptr, page, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) break;
}

/// So many tasks that all wait at once, and then look(); how many went on. Called inside of run.
template <class Look>
int block_at_once(int n, Look look) {
  latch gate(1);
  std::atomic<int> arrived{0};
  std::atomic<int> went_on{0};
  task_group g;
  for (int i = 0; i != n; ++i)
    g.run([&] {
      arrived.fetch_add(1, std::memory_order_relaxed);
      gate.wait();
      went_on.fetch_add(1, std::memory_order_relaxed);
    });
  g.run([&] {
    while (arrived.load(std::memory_order_relaxed) != n) this_task::yield();
    look();
    gate.count_down();
  });
  g.wait();
  return went_on.load(std::memory_order_relaxed);
}

inline int block_at_once(int n) {
  return block_at_once(n, [] {});
}

}  // namespace kasuri::test
