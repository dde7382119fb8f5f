// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/checkouts/pins.hpp"

#include <utility>

#include "platform/base/expect.hpp"

namespace kasuri::cluster {

pin_registry::~pin_registry() {
  for (thread_pins* node = nodes_.newest(); node != nullptr;)
    delete std::exchange(node, node->next);
}

thread_pins& pin_registry::mine() {
  const auto me = std::this_thread::get_id();
  for (thread_pins* node = nodes_.newest(); node != nullptr; node = node->next)
    if (node->owner == me) return *node;
  auto* const fresh = new thread_pins;
  fresh->owner = me;
  nodes_.add(*fresh);
  return *fresh;
}

thread_pins& pin_registry::extend(thread_pins& first) {
  KASURI_EXPECT(cheap, first.owner == std::this_thread::get_id() && first.free_pin() == nullptr,
                "a thread gets more pins for another one, or has free ones");
  auto* const added = new thread_pins;
  thread_pins* own = &first;
  while (thread_pins* const next = own->next_of_thread()) own = next;
  own->more.store(added, std::memory_order_release);  // pairs with next_of_thread()
  nodes_.add(*added);
  return *added;
}

std::vector<pinned_range> pin_registry::collect() const {
  std::vector<pinned_range> found;
  for (const thread_pins* node = nodes_.newest(); node != nullptr; node = node->next) {
    for (const pin& p : node->pins)
      if (const auto range = range_of(p)) found.push_back(*range);
  }
  return found;
}

std::uint64_t pin_registry::hits() const {
  std::uint64_t sum = 0;
  for (const thread_pins* node = nodes_.newest(); node != nullptr; node = node->next)
    sum += node->hits.load(std::memory_order_relaxed);
  return sum;
}

}  // namespace kasuri::cluster
