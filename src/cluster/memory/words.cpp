// SPDX-License-Identifier: Apache-2.0
// Atomic operations on words of global memory. They are done at home; the copy of their block that
// may be here is not looked at. What this process wrote to the word before by a checkout goes home
// first.

#include <string>

#include "cluster/memory/memory.hpp"
#include "kasuri/global/error.hpp"

namespace kasuri::cluster {

const region& memory::region_of_word(std::uint64_t offset, home_place& home) {
  const region& where = checked_region(offset, 8, access::read_write);
  if (offset % 8 != 0) {
    throw global::error("atomic operation at global address " + std::to_string(offset) +
                        ": accepted: a multiple of 8");
  }
  home = where.home_of(offset);
  if (options_.checked) note_use(where, offset, 8, use::atomic);
  if (ranks_ > 1 && home.rank != rank_) {
    block& b = blocks_[offset >> shift_];
    const auto low = static_cast<std::uint32_t>(offset & mask_);
    if (b.has(block::listed)) {
      bool written = false;
      lock(b);
      b.dirty.each_in({low, low + 8}, [&](byte_range) { written = true; });
      b.unlock();
      if (written) tell();
    }
  }
  return where;
}

std::uint64_t memory::fetch_add(std::uint64_t offset, std::uint64_t value) {
  home_place home;
  const region& where = region_of_word(offset, home);
  return network_.fetch_add(home.rank, where.memory, home.offset, value);
}

std::uint64_t memory::compare_swap(std::uint64_t offset, std::uint64_t expected,
                                   std::uint64_t desired) {
  home_place home;
  const region& where = region_of_word(offset, home);
  return network_.compare_swap(home.rank, where.memory, home.offset, expected, desired);
}

std::uint64_t memory::load(std::uint64_t offset) {
  home_place home;
  const region& where = region_of_word(offset, home);
  return network_.load(home.rank, where.memory, home.offset);
}

void memory::store(std::uint64_t offset, std::uint64_t value) {
  home_place home;
  const region& where = region_of_word(offset, home);
  // Not posted: whoever comes behind the next token must see it.
  std::uint64_t before = network_.load(home.rank, where.memory, home.offset);
  while (true) {
    const std::uint64_t seen =
        network_.compare_swap(home.rank, where.memory, home.offset, before, value);
    if (seen == before) return;
    before = seen;
  }
}

}  // namespace kasuri::cluster
