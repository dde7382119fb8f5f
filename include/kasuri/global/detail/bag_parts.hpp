// SPDX-License-Identifier: Apache-2.0
#pragma once

// A bag over all ranks without its type: what the templates of global::bag call. How it works is
// told in src/cluster/memory/containers/bag.cpp.

#include <cstddef>
#include <cstdint>

namespace [[gnu::visibility("default")]] kasuri {
namespace global::detail {

/// A bag, as closures capture it: one part at each rank.
struct bag_parts {
  std::uint64_t begin = 0;  // of the parts
  std::uint64_t part_bytes = 0;
  std::uint64_t ranks = 0;
};

/// Collective. Throws error.
bag_parts make_bag(std::uint64_t element);
/// Collective: ends it.
void end_bag(const bag_parts& b, std::uint64_t element) noexcept;

/// The global address of one element more of the calling rank's part, which the caller writes by a
/// checkout.
std::uint64_t place_in(const bag_parts& b, std::uint64_t element);

// While nothing is added.

/// The elements of a part.
std::uint64_t count_of(const bag_parts& b, std::uint64_t part);
/// All parts are empty; their memory stays.
void empty(const bag_parts& b);

/// Elements of a part that lie side by side: chunk by chunk, each twice as long as the one before.
struct bag_chunk {
  std::uint64_t at;     // a global address
  std::uint64_t first;  // the number of its first element in the part
  std::uint64_t count;
};
/// So many chunks have the first `count` elements of a part.
std::uint64_t chunks_for(std::uint64_t element, std::uint64_t count) noexcept;
/// Chunk `which` of these.
bag_chunk chunk_of(const bag_parts& b, std::uint64_t element, std::uint64_t part,
                   std::uint64_t which, std::uint64_t count);

}  // namespace global::detail
}  // namespace kasuri
