// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/base/transfers.hpp"

#include "cluster/memory/base/checkout_sums.hpp"

#include <algorithm>

#include "platform/base/expect.hpp"

namespace kasuri::cluster {

void transfers::add(const run& next) {
  if (profile::active()) [[unlikely]]
    note_transfer(next.target, next.bytes);
  KASURI_EXPECT(cheap, next.bytes != 0 && next.here != nullptr, "%llu bytes at %p of rank %d",
                static_cast<unsigned long long>(next.bytes), static_cast<void*>(next.here),
                next.target);
  KASURI_EXPECT(
      cheap, next.offset <= next.there->bytes && next.bytes <= next.there->bytes - next.offset,
      "bytes %llu + %llu of rank %d, whose part of window %d has %zu",
      static_cast<unsigned long long>(next.offset), static_cast<unsigned long long>(next.bytes),
      next.target, next.there->id, next.there->bytes);
  if (last_.bytes != 0 && last_.target == next.target && last_.there == next.there &&
      last_.puts == next.puts && last_.offset + last_.bytes == next.offset &&
      last_.here + last_.bytes == next.here) {
    last_.bytes += next.bytes;
    return;
  }
  send();
  last_ = next;
  if (std::ranges::find(targets_, next.target) == targets_.end()) targets_.push_back(next.target);
}

void transfers::send() {
  if (last_.bytes == 0) return;
  if (last_.puts)
    network_.put(last_.target, *last_.there, last_.offset, last_.here, last_.bytes);
  else
    network_.get(last_.target, *last_.there, last_.offset, last_.here, last_.bytes);
  last_.bytes = 0;
}

std::uint64_t transfers::finish() {
  if (none()) return 0;
  const std::uint64_t since = network_.now_ns();
  send();
  KASURI_EXPECT(cheap, last_.bytes == 0, "%llu bytes for rank %d are flushed before they are sent",
                static_cast<unsigned long long>(last_.bytes), last_.target);
  for (int target : targets_) network_.flush(target);
  targets_.clear();
  return network_.now_ns() - since;
}

}  // namespace kasuri::cluster
