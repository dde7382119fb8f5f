// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/base/transfers.hpp"

#include <algorithm>

namespace kasuri::cluster {

void transfers::add(const run& next) {
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
  for (int target : targets_) network_.flush(target);
  targets_.clear();
  return network_.now_ns() - since;
}

}  // namespace kasuri::cluster
