// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/words.hpp"

#include <string>

#include "kasuri/global/error.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

const region& atomic_words::locate(std::uint64_t offset, home_place& home) {
  const region& where = places_.expect({offset, 8, access::read_write});
  if (offset % 8 != 0) {
    throw global::error("atomic operation at global address " + std::to_string(offset) +
                        ": accepted: a multiple of 8");
  }
  home = where.home_of(offset);
  KASURI_EXPECT(cheap, home.run >= 8 && home.offset % 8 == 0,
                "the word at %llu lies at byte %llu of rank %d, in a run of %llu",
                static_cast<unsigned long long>(offset),
                static_cast<unsigned long long>(home.offset), home.rank,
                static_cast<unsigned long long>(home.run));
  if (options_.checked) checks_.note_use(where, offset, 8, use::atomic);
  if (home.rank != network_.rank() && copies_.has_untold({offset, offset + 8})) copies_.tell();
  return where;
}

std::uint64_t atomic_words::fetch_add(std::uint64_t offset, std::uint64_t value) {
  home_place home;
  const region& where = locate(offset, home);
  return network_.fetch_add(home.rank, where.memory, home.offset, value);
}

std::uint64_t atomic_words::compare_swap(std::uint64_t offset, std::uint64_t expected,
                                         std::uint64_t desired) {
  home_place home;
  const region& where = locate(offset, home);
  return network_.compare_swap(home.rank, where.memory, home.offset, expected, desired);
}

std::uint64_t atomic_words::load(std::uint64_t offset) {
  home_place home;
  const region& where = locate(offset, home);
  return network_.load(home.rank, where.memory, home.offset);
}

void atomic_words::store(std::uint64_t offset, std::uint64_t value) {
  home_place home;
  const region& where = locate(offset, home);
  // Not posted: a task behind the next token must see it.
  std::uint64_t before = network_.load(home.rank, where.memory, home.offset);
  while (true) {
    const std::uint64_t seen =
        network_.compare_swap(home.rank, where.memory, home.offset, before, value);
    if (seen == before) return;
    before = seen;
  }
}

}  // namespace kasuri::cluster
