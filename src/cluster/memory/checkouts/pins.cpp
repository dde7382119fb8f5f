// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/checkouts/pins.hpp"

#include "platform/base/expect.hpp"

namespace kasuri::cluster {

thread_pins& pin_registry::mine() {
  const std::scoped_lock hold(lock_);
  const auto me = std::this_thread::get_id();
  for (const auto& node : nodes_)
    if (node->owner == me) return *node;
  nodes_.push_back(std::make_unique<thread_pins>());
  nodes_.back()->owner = me;
  return *nodes_.back();
}

thread_pins& pin_registry::extend(thread_pins& first) {
  const std::scoped_lock hold(lock_);
  KASURI_EXPECT(cheap, first.owner == std::this_thread::get_id() && first.free_pin() == nullptr,
                "a thread gets more pins for another one, or has free ones; there are %zu nodes",
                nodes_.size());
  nodes_.push_back(std::make_unique<thread_pins>());
  thread_pins& added = *nodes_.back();
  added.owner = first.owner;
  thread_pins* last = &first;
  while (last->more != nullptr) last = last->more;
  last->more = &added;
  return added;
}

std::vector<pinned_range> pin_registry::collect() const {
  const std::scoped_lock hold(lock_);
  std::vector<pinned_range> found;
  for (const auto& node : nodes_) {
    for (const pin& p : node->pins)
      if (const auto range = range_of(p)) found.push_back(*range);
  }
  return found;
}

std::uint64_t pin_registry::hits() const {
  const std::scoped_lock hold(lock_);
  std::uint64_t sum = 0;
  for (const auto& node : nodes_) sum += node->hits.load(std::memory_order_relaxed);
  return sum;
}

}  // namespace kasuri::cluster
