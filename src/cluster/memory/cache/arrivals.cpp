// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/arrivals.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "kasuri/detail/atomics.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

void arrivals::lock(std::uint64_t index) {
  block& b = at_.blocks[index];
  at_.blocks.meet(index);
  for (unsigned n = 0; !b.try_lock(); ++n) {
    if (b.has(block::arriving)) {
      land(take([index](const arrival& a) {
        return std::ranges::binary_search(a.parts, index, {}, &block_part::index);
      }));
    }
    detail::real_atomics::backoff(n);
    if (n >= 64) at_.network.progress();
  }
}

std::unique_ptr<arrivals::arrival> arrivals::prepare(std::vector<block_part> parts) const {
  auto a = std::make_unique<arrival>(at_.network);
  a->parts = std::move(parts);
  return a;
}

std::uint64_t arrivals::begin(std::unique_ptr<arrival> a, std::uint64_t reserved) {
  a->reserved = reserved;
  for (std::size_t i = 0; i != a->parts.size(); ++i)
    KASURI_EXPECT(cheap,
                  at_.blocks[a->parts[i].index].has(block::locked) &&
                      (i == 0 || a->parts[i - 1].index < a->parts[i].index),
                  "block %llu of a fetch is in state %#x, or out of order",
                  static_cast<unsigned long long>(a->parts[i].index),
                  at_.blocks[a->parts[i].index].state.load(std::memory_order_relaxed));
  block::fence_before_fetch();
  a->since = lists_.doubted.number();
  how_.provide_memory(a->parts);
  how_.begin(a->parts, a->under_way);
  a->under_way.send();
  for (const block_part& it : a->parts) at_.blocks[it.index].set(block::arriving);
  const std::scoped_lock hold(arriving_);
  blocks_.fetch_add(a->parts.size(), std::memory_order_relaxed);
  a->number = ++last_;
  a->next = std::move(list_);
  list_ = std::move(a);
  return last_;
}

/// The first that it is, taken out of the list; null: none.
std::unique_ptr<arrivals::arrival> arrivals::take(const std::function<bool(const arrival&)>& is) {
  const std::scoped_lock hold(arriving_);
  std::unique_ptr<arrival>* at = &list_;
  while (*at != nullptr && !is(**at)) at = &(*at)->next;
  std::unique_ptr<arrival> taken = std::move(*at);
  if (taken != nullptr) *at = std::move(taken->next);
  return taken;
}

/// Null: another thread does.
void arrivals::land(std::unique_ptr<arrival> a) {
  if (a == nullptr) return;
  at_.counts.waited_ns.add(a->under_way.finish());
  for (const block_part& it : a->parts) {
    block& b = at_.blocks[it.index];
    KASURI_EXPECT(
        cheap, b.has(block::locked) && b.has(block::arriving),
        "block %llu of fetch %llu lands in state %#x", static_cast<unsigned long long>(it.index),
        static_cast<unsigned long long>(a->number), b.state.load(std::memory_order_relaxed));
    b.reset(block::arriving);
  }
  const std::uint64_t fresh = how_.enter(a->parts, a->since);
  lists_.used.settle(at_.range.bytes_of(a->reserved), at_.range.bytes_of(fresh));
  // pairs with land_all()
  const std::uint64_t before = blocks_.fetch_sub(a->parts.size(), std::memory_order_release);
  KASURI_EXPECT(cheap, a->parts.size() <= before, "%zu blocks have landed, and %llu were to",
                a->parts.size(), static_cast<unsigned long long>(before));
}

void arrivals::land(std::uint64_t number) {
  land(take([number](const arrival& a) { return a.number == number; }));
}

void arrivals::land_all() {
  // acquire: pairs with the end of land()
  for (unsigned n = 0; blocks_.load(std::memory_order_acquire) != 0; ++n) {
    while (auto a = take([](const arrival&) { return true; })) land(std::move(a));
    detail::real_atomics::backoff(n);
    at_.network.progress();
  }
}

}  // namespace kasuri::cluster
