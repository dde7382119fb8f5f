// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/dropper.hpp"

#include <algorithm>
#include <vector>

#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::cluster {

void dropper::apply(const notice& n) {
  if (n.end == notice::all_bytes) return suspect_everything();
  block::fence_before_look();
  at_.places.each_in({n.begin, n.end}, [&](const region& where) {
    const global_range inside{std::max(n.begin, where.begin), std::min(n.end, where.end)};
    at_.places.each_away(where, inside, [&](std::uint64_t index, byte_range part) {
      if (!at_.blocks[index].untouched()) drop(where, index, part, n.rank());
    });
  });
}

/// The bytes of the part are no longer current here, but for those written here. Which rank wrote
/// them may not be known.
void dropper::drop(const region& where, std::uint64_t index, byte_range part, int writer) {
  block& b = at_.blocks[index];
  KASURI_EXPECT(cheap, writer != at_.network.rank() && !at_.places.is_home(where, index),
                "rank %d drops bytes of block %llu, which rank %d wrote", at_.network.rank(),
                static_cast<unsigned long long>(index), writer);
  locks_.lock(index);
  if (at_.options.checked && writer < at_.network.size())
    expect_unwritten(where, index, part, writer);
  std::vector<byte_range> clean;
  b.dirty.each_missing(part, [&](byte_range c) { clean.push_back(c); });
  b.readable.clear();
  for (byte_range c : clean) b.valid.remove(c);
  const auto parts = b.valid.parts();
  if (!b.has(block::suspect) && !parts.empty()) b.readable.set(parts.front());
  b.set(block::dropped);
  KASURI_EXPECT(all, b.check_sets() == nullptr, "%s; bytes %u to %u of block %llu were dropped",
                b.check_sets(), part.begin, part.end, static_cast<unsigned long long>(index));
  b.unlock();
}

/// Under checks: what another rank wrote and what is dirty here must not meet. A write ordered
/// before the notice was told of before that was made; one ordered behind it came after it was
/// read. Nothing can be said of heaps, since an old notice may be of an object that was freed
/// there, nor after an overflow, when a notice may come late.
void dropper::expect_unwritten(const region& where, std::uint64_t index, byte_range part,
                               int writer) const {
  if (where.heap || doubts_.ever()) return;
  const std::uint64_t start = at_.range.bytes_of(index);
  at_.blocks[index].dirty.each_in(part, [&](byte_range both) {
    platform::fatal(
        "KASURI_CHECK=checkout: bytes %llu to %llu of global memory are written by rank %d and by "
        "rank %d at the same time; accepted: an order by forks and joins between them",
        static_cast<unsigned long long>(start + both.begin),
        static_cast<unsigned long long>(start + both.end), writer, at_.network.rank());
  });
}

void dropper::suspect_everything() {
  at_.counts.overflows.add(1);
  for (std::uint64_t index : doubts_.raise()) {
    block& b = at_.blocks[index];
    locks_.lock(index);
    b.reset(block::watched);
    if (b.has(block::resident)) {
      b.set(block::suspect);
      b.readable.clear();
    }
    b.unlock();
  }
}

}  // namespace kasuri::cluster
