// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/blocks/resident_clock.hpp"

#include <algorithm>

#include "platform/base/expect.hpp"

namespace kasuri::cluster {

std::vector<std::uint64_t> resident_clock::take(victims which, std::uint64_t wanted,
                                                bool& met_locked) {
  std::vector<std::uint64_t> found;
  const std::scoped_lock hold(lock_);
  std::size_t looks = 2 * clock_.size();
  if (which == victims::clean) looks = std::min(looks, 2 * static_cast<std::size_t>(wanted));
  for (; looks != 0 && !clock_.empty() && found.size() < wanted; --looks) {
    const std::uint64_t index = clock_.front();
    clock_.pop_front();
    block& b = blocks_[index];
    if (b.has(block::touched)) {
      b.reset(block::touched);
      clock_.push_back(index);
    } else if (!b.try_lock()) {
      met_locked = true;
      clock_.push_back(index);
    } else if (which == victims::clean && !b.dirty.empty()) {
      b.unlock();
      clock_.push_back(index);
    } else {
      KASURI_EXPECT(cheap, b.has(block::resident) && !b.has(block::arriving | block::spare),
                    "block %llu leaves the clock in state %#x",
                    static_cast<unsigned long long>(index),
                    b.state.load(std::memory_order_relaxed));
      found.push_back(index);
    }
  }
  return found;
}

}  // namespace kasuri::cluster
