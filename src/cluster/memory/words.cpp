// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/words.hpp"

#include <string>

#include "kasuri/global/error.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

std::uint64_t atomic_words::apply(std::uint64_t offset, const atomic_operation& op) {
  const region& where = places_.expect({offset, op.bytes, access::read_write});
  if (offset % op.bytes != 0) {
    throw global::error("atomic operation at global address " + std::to_string(offset) +
                        ": accepted: a multiple of " + std::to_string(op.bytes));
  }
  const home_place home = where.home_of(offset);
  KASURI_EXPECT(cheap, home.run >= op.bytes && home.offset % op.bytes == 0,
                "the word at %llu lies at byte %llu of rank %d, in a run of %llu",
                static_cast<unsigned long long>(offset),
                static_cast<unsigned long long>(home.offset), home.rank,
                static_cast<unsigned long long>(home.run));
  if (options_.checked) checks_.note_use(where, offset, op.bytes, use::atomic);
  if (home.rank != network_.rank() && copies_.has_untold({offset, offset + op.bytes}))
    copies_.tell();
  return network_.apply(home.rank, where.memory, home.offset, op);
}

}  // namespace kasuri::cluster
