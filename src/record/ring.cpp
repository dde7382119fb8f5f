// SPDX-License-Identifier: Apache-2.0
#include "record/ring.hpp"

#include <algorithm>
#include <bit>

namespace kasuri::record {

// Two at least: a `lost` event and the one after it go in together.
ring::ring(std::size_t bytes)
    : capacity_(std::bit_floor(std::max<std::size_t>(bytes / sizeof(event), 2))),
      slots_(std::make_unique_for_overwrite<event[]>(capacity_)),
      limit_(capacity_) {}

bool ring::make_room(const event& e) noexcept {
  // pairs with the release of tail_ in release(): the reader is done with the slots below it.
  limit_ = tail_.load(std::memory_order_acquire) + capacity_;
  const std::uint64_t needed = gap_events_ != 0 ? 2 : 1;
  if (limit_ - head_ < needed) {
    limit_ = head_;  // a single free slot must not be filled before the gap is marked
    drop(e);
    return false;
  }
  if (gap_events_ != 0) {
    store({.ticks = gap_ticks_,
           .id = gap_events_,
           .reserved = 0,
           .peer = no_peer,
           .kind = event_kind::lost,
           .detail = 0});
    gap_events_ = 0;
  }
  return true;
}

void ring::drop(const event& e) noexcept {
  if (gap_events_ == 0) gap_ticks_ = e.ticks;
  ++gap_events_;
  lost_.store(lost_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

std::span<const event> ring::readable() const noexcept {
  const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
  // pairs with the release of published_ in store().
  const std::uint64_t end = published_.load(std::memory_order_acquire);
  const std::size_t first = tail & (capacity_ - 1);
  return {slots_.get() + first, std::min<std::size_t>(end - tail, capacity_ - first)};
}

void ring::release(std::size_t count) noexcept {
  const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
  // pairs with the acquire of tail_ in make_room().
  tail_.store(tail + count, std::memory_order_release);
}

std::size_t ring::size() const noexcept {
  // pairs with the release of published_ in store().
  return published_.load(std::memory_order_acquire) - tail_.load(std::memory_order_relaxed);
}

}  // namespace kasuri::record
