// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/put_dirty.hpp"

#include "platform/base/expect.hpp"

namespace kasuri::cluster {

void put_dirty(const cache_site& at, std::uint64_t index, const byte_set* left,
               transfers& under_way, std::vector<global_range>& told) {
  const block& b = at.blocks[index];
  KASURI_EXPECT(cheap, b.has(block::locked), "block %llu is brought home in state %#x",
                static_cast<unsigned long long>(index), b.state.load(std::memory_order_relaxed));
  if (b.dirty.empty()) return;
  const std::uint64_t start = at.range.bytes_of(index);
  const region* where = at.places.find({start, start});
  if (where == nullptr) return;  // an array that has ended
  const home_place home = where->home_of(start);
  const bool goes =
      home.rank != at.network.rank() && at.options.fault != planted_fault::write_back_skipped;
  const auto tell = [&](byte_range r) {
    if (goes) {
      under_way.put(home.rank, where->memory, home.offset + r.begin, at.range.at(start + r.begin),
                    r.end - r.begin);
      at.counts.written_back_bytes.add(r.end - r.begin);
    }
    told.push_back({start + r.begin, start + r.end});
  };
  for (const byte_range dirty : b.dirty.parts()) {
    if (left == nullptr)
      tell(dirty);
    else
      left->each_missing(dirty, tell);
  }
}

}  // namespace kasuri::cluster
