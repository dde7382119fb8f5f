// SPDX-License-Identifier: Apache-2.0
#pragma once

// A hash table over all ranks without its types: what the templates of global::hash_map call. How
// it works is told in src/cluster/memory/containers/hash_table.cpp.

#include <cstddef>
#include <cstdint>

#include "kasuri/global/container/insertion.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global::detail {

/// Keys of more bytes do not compile.
inline constexpr std::size_t largest_key = 256;

/// The bytes of an entry: a word of the table's, the value, the key, each aligned to at most 16.
struct hash_shape {
  std::uint32_t entry_bytes;
  std::uint32_t value_at;
  std::uint32_t value_bytes;
  std::uint32_t key_at;
  std::uint32_t key_bytes;
};

/// A table, as closures capture it: one part at each rank.
struct hash_table {
  std::uint64_t begin = 0;  // of the parts
  std::uint64_t part_bytes = 0;
  std::uint64_t part_entries = 0;
  std::uint64_t ranks = 0;
};

/// Collective. Throws error.
hash_table make_hash_table(std::uint64_t capacity, const hash_shape& shape);

/// The global address of the value of a key, or 0. The value is copied to `value`, unless that is
/// null, which is right where values do not change.
std::uint64_t find_in(const hash_table& t, const hash_shape& shape, const void* key, void* value);

/// What was done, and the global address of the value; 0 where the table is full.
struct hash_place {
  insertion what;
  std::uint64_t value;
};
hash_place insert_into(const hash_table& t, const hash_shape& shape, const void* key,
                       const void* value);

/// The keys that are there.
std::uint64_t count_in(const hash_table& t);

// For walking over the entries of a part, while nothing is inserted.

/// Entries that may be taken lie before this one.
std::uint64_t entries_of(const hash_table& t, std::uint64_t part);
/// Copies entries [first, first + n).
void read_entries(const hash_table& t, const hash_shape& shape, std::uint64_t part,
                  std::uint64_t first, std::uint64_t n, void* to);
/// Whether the entry, which was copied to `entry`, is one.
bool is_entry(const void* entry) noexcept;

}  // namespace global::detail
}  // namespace kasuri
