// SPDX-License-Identifier: Apache-2.0
#include "numa/place.hpp"

#include <cerrno>

#include "numa/nodes.hpp"
#include "platform/memory/numa_memory.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace numa {
namespace {

/// Null where there is nothing to choose: one node, or a machine that is only described.
place_table* make_shared_table() {
  const node_map& map = this_machine();
  const int kept = errno;
  place_table* table =
      map.has_choice() ? place_table::make(map, platform::ask_nodes).release() : nullptr;
  errno = kept;
  // pairs with the load of node_index_of
  shared_table.store(table, std::memory_order_release);
  return table;
}

}  // namespace

constinit std::atomic<place_table*> shared_table{nullptr};
[[gnu::tls_model("initial-exec")]] thread_local constinit recent_time recent{};

place_table* table_of_process() noexcept {
  static place_table* const table = make_shared_table();
  return table;
}

int node_index_without_table(const void* address) noexcept {
  if (place_table* table = table_of_process()) return table->look_up(address, table->now());
  // One node is where everything is. Of several without a table nothing is known.
  return this_machine().numbers().size() == 1 ? 0 : -1;
}

int node_index_or_wish(const void* address) noexcept {
  int index = node_index_of(address);
  place_table* const table = index < 0 ? table_of_process() : nullptr;
  if (table == nullptr) return index;
  index = this_machine().index_of(platform::wished_node(address));
  const auto same = [](const void* context, std::uintptr_t) noexcept {
    return *static_cast<const int*>(context);
  };
  if (index >= 0) table->record(address, 1, {same, &index});
  return index;
}

int node_of(const void* address) noexcept {
  const int index = node_index_of(address);
  return index < 0 ? -1 : this_machine().numbers()[static_cast<std::size_t>(index)];
}

void forget(const void* start, std::size_t bytes) noexcept {
  if (place_table* table = table_of_process()) table->forget(start, bytes);
}

}  // namespace numa
}  // namespace kasuri
