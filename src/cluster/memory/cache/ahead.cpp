// SPDX-License-Identifier: Apache-2.0
// Begins the fetches of a checkout that is to come, before anybody waits for them.
//
// Nothing is waited for here: what others have locked, what is suspect, for which home would have
// to be asked first, and what finds no room but for dirty blocks, is left to the checkout. No pin
// keeps what has arrived: where room is short it goes again. So a fetch ahead never changes what a
// program sees, nor whether its checkouts fit, only when they are fetched.

#include <algorithm>
#include <utility>

#include "cluster/memory/cache/cache.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

// Blocks of one fetch; what is behind them waits for the checkout.
constexpr std::uint64_t most_blocks = 1024;

// All that is on its way is at most this part of the cache.
constexpr std::uint64_t parts_of_cache = 8;

}  // namespace

/// Whether there is something to fetch that the network brings while the caller goes on.
bool cache::worth_locking(const block_part& it) const {
  const block& b = at_.blocks[it.index];
  if (b.has(block::locked | block::suspect)) return false;
  if (b.has(block::resident) && b.readable.covers(it.part.begin, it.part.end)) return false;
  const home_place home = it.where->home_of(at_.range.bytes_of(it.index));
  return home.rank != at_.network.rank() && at_.network.overlaps(home.rank);
}

std::vector<block_part> cache::worth_locking(const checkout_request& r, const region& where) const {
  std::vector<block_part> parts;
  const std::uint64_t end = r.offset + r.bytes;
  for (std::uint64_t at = r.offset; at < end && parts.size() != most_blocks;) {
    const std::uint64_t stop =
        std::min(end, at_.range.start_of_block(at) + at_.range.block_bytes());
    at_.range.each_block({at, stop}, [&](std::uint64_t index, byte_range part) {
      const block_part it{index, part, true, false, &where};
      if (worth_locking(it)) parts.push_back(it);
    });
    at = stop;
  }
  return parts;
}

/// Locks the blocks that nobody else has locked and of which bytes are missing; the others are
/// taken out.
void cache::lock_missing(std::vector<block_part>& parts) const {
  std::erase_if(parts, [this](const block_part& it) {
    block& b = at_.blocks[it.index];
    if (!b.try_lock()) return true;
    at_.blocks.meet(it.index);
    if (!b.has(block::suspect) && !b.valid.covers(it.part)) return false;
    b.unlock();
    return true;
  });
}

std::uint64_t cache::begin_ahead(const checkout_request& r, const region& where) {
  if (!overlaps_ || where.kind == region::kind_t::file) return 0;
  std::vector<block_part> parts = worth_locking(r, where);
  const std::uint64_t most = at_.range.block_of(at_.options.cache_bytes / parts_of_cache);
  if (parts.empty() || parts.size() + arrivals_.blocks() > most) return 0;
  const auto is_new = [this](const block_part& it) {
    return !at_.blocks[it.index].has(block::resident);
  };
  const auto reserved = static_cast<std::uint64_t>(std::ranges::count_if(parts, is_new));
  KASURI_EXPECT(cheap, parts.size() <= most_blocks, "%zu blocks are fetched ahead at once",
                parts.size());
  auto fetch = arrivals_.prepare(std::move(parts));
  if (!evictor_.try_take_room(at_.range.bytes_of(reserved))) return 0;
  lock_missing(fetch->parts);
  if (fetch->parts.empty()) {
    lists_.used.give_back(at_.range.bytes_of(reserved));
    return 0;
  }
  return arrivals_.begin(std::move(fetch), reserved);
}

}  // namespace kasuri::cluster
