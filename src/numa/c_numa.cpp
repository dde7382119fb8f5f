// SPDX-License-Identifier: Apache-2.0
// The C face of memory on NUMA nodes.
#include <cstdint>
#include <optional>

#include "kasuri/kasuri.h"
#include "numa/memory.hpp"
#include "numa/nodes.hpp"
#include "platform/memory/memory.hpp"

namespace numa = kasuri::numa;

namespace {

/// Nothing where it is null, of an unknown kind, or not valid on this machine.
std::optional<numa::distribution> inside(const kasuri_distribution_t* d) noexcept {
  using numa::distribution;
  if (d == nullptr) return std::nullopt;
  std::optional<distribution> made;
  switch (d->kind) {
    case KASURI_FIRST_TOUCH:
      made = distribution::first_touch();
      break;
    case KASURI_ON_NODE:
      made = distribution::on_node(d->node);
      break;
    case KASURI_BLOCKED:
      made = distribution::blocked();
      break;
    case KASURI_INTERLEAVED:
      made = distribution::interleaved();
      break;
    case KASURI_CYCLIC:
      made = distribution::cyclic(d->pages);
      break;
    case KASURI_BLOCK_CYCLIC:
      made = distribution::block_cyclic(d->block_bytes);
      break;
    case KASURI_TILES:
      made = distribution::tiles(d->rows, d->row_bytes, d->tile_rows, d->tile_bytes);
      break;
    default:
      break;
  }
  if (made && !made->is_valid(numa::this_machine().numbers())) made.reset();
  return made;
}

}  // namespace

extern "C" {

int kasuri_numa_alloc(void** memory, size_t bytes, const kasuri_distribution_t* distribution,
                      unsigned flags) {
  const auto d = inside(distribution);
  if (memory == nullptr || !d || (flags & ~unsigned{KASURI_HUGE_PAGES}) != 0)
    return KASURI_ERROR_INVALID;
  void* start = numa::map(bytes, *d, {.huge_pages = (flags & KASURI_HUGE_PAGES) != 0}, false);
  if (start == nullptr) return KASURI_ERROR_MEMORY;
  *memory = start;
  return KASURI_SUCCESS;
}

int kasuri_numa_free(void* memory, size_t bytes) {
  if (reinterpret_cast<std::uintptr_t>(memory) % kasuri::platform::page_size() != 0)
    return KASURI_ERROR_INVALID;
  numa::free(memory, bytes);
  return KASURI_SUCCESS;
}

int kasuri_numa_move(void* start, size_t bytes, const kasuri_distribution_t* distribution,
                     size_t* left) {
  const auto d = inside(distribution);
  if (!d || (start == nullptr && bytes != 0)) return KASURI_ERROR_INVALID;
  const size_t elsewhere = numa::migrate(start, bytes, *d);
  if (left != nullptr) *left = elsewhere;
  return KASURI_SUCCESS;
}

int kasuri_numa_node_of(const void* address) { return numa::node_of(address); }

void kasuri_numa_forget(const void* start, size_t bytes) { numa::forget(start, bytes); }

int kasuri_numa_this_node(void) { return numa::this_node(); }

int kasuri_numa_nodes(int* numbers, int* cpus, int most) {
  int count = 0;
  for (const numa::node& n : numa::nodes()) {
    if (count < most && numbers != nullptr) numbers[count] = n.number;
    if (count < most && cpus != nullptr) cpus[count] = n.cpus;
    ++count;
  }
  return count;
}
}
