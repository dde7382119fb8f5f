// SPDX-License-Identifier: Apache-2.0
#pragma once

// The process' table of places, for the scheduler and the OpenMP runtime.

#include <atomic>

#include "numa/place_table.hpp"

namespace kasuri::numa {

/// Null until somebody asks, and where there is nothing to choose.
[[gnu::visibility("hidden")]] extern constinit std::atomic<place_table*> shared_table;

/// node_index_of where there is no table yet or never.
[[gnu::visibility("hidden")]] int node_index_without_table(const void* address) noexcept;

/// When a thread last read the clock for a look-up, and for how many more that will do.
struct recent_time {
  place_table::time at;
  unsigned left;
};
[[gnu::tls_model("initial-exec"),
  gnu::visibility("hidden")]] extern thread_local constinit recent_time recent;

/// To read the clock costs four times what the rest of a look-up does (11.6 against 2.2 ns), so one
/// of 16 does. If a thread pauses between them its next 15 may take what is long out of date for
/// alive.
inline place_table::time time_for_look_up(const place_table& table) noexcept {
  if (recent.left == 0) [[unlikely]]
    recent = {table.now(), 16};
  --recent.left;
  return recent.at;
}

/// The index in this_machine() of the node that holds an address; -1: unknown, "anywhere".
/// Thread-safe, never waits, but for the first call of the process, which reads the topology. Keeps
/// errno.
inline int node_index_of(const void* address) noexcept {
  // pairs with the store of make_shared_table
  place_table* table = shared_table.load(std::memory_order_acquire);
  if (table == nullptr) return node_index_without_table(address);
  const int index = table->at_hand(address, time_for_look_up(*table));
  return index >= 0 ? index : table->look_up(address, table->now());
}

/// The same; where nobody has touched the page yet, the node that it is to come from by the
/// program's own mbind. That is one system call for a page, then the table has it; and one each
/// time where no node is wished.
[[gnu::visibility("hidden")]] int node_index_or_wish(const void* address) noexcept;

/// The table, made at the first call; null where there is nothing to choose or no memory.
[[gnu::visibility("hidden")]] place_table* table_of_process() noexcept;

}  // namespace kasuri::numa
