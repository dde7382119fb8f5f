// SPDX-License-Identifier: Apache-2.0
// The buffer between a worker and the thread that writes the file: one writer, one reader, never
// blocking.
//
// Protocol. Positions count events since the start and never wrap; slot = position masked.
//
//   field       written by     read by         meaning
//   head_       writer         writer          next position to fill
//   limit_      writer         writer          position at which it must look at tail_ again
//   gap_*       writer         writer          events dropped since the last one stored
//   published_  writer         reader          == head_; slots below are complete
//   lost_       writer         anyone          events dropped since the start
//   tail_       reader         writer          slots below are free again
//
//   tail_ <= published_ <= head_ <= limit_ <= tail_ + capacity
//
// Full means: the new event is dropped and counted. When there is room again, one `lost` event goes
// in first: it says since when and how many. So what is stored is the truth up to the gap, the gap
// is marked in its place, and the truth goes on after it; a reader never meets a half-overwritten
// slot. Overwriting the oldest instead was rejected: begin events would vanish under their ends,
// and reading beside an overwriting writer needs a check per slot on both sides.
#pragma once

#include "record/event.hpp"

#include <atomic>   // for atomic
#include <cstddef>  // for size_t
#include <cstdint>  // for uint64_t
#include <memory>   // for unique_ptr
#include <span>     // for span

namespace kasuri::record {

class ring {
 public:
  /// Room for as many events as fit into `bytes`, rounded down to a power of two, at least two.
  /// Memory is touched only as events are stored. Throws std::bad_alloc.
  explicit ring(std::size_t bytes);

  /// Writer: stores or drops.
  void push(const event& e) noexcept {
    if (head_ == limit_ && !make_room(e)) [[unlikely]]
      return;
    store(e);
  }

  /// Reader: the oldest stored events, as many as lie side by side. Empty when there are none; two
  /// rounds of readable() and release() empty a ring nobody writes to.
  std::span<const event> readable() const noexcept;

  /// Reader: gives the first `count` events of readable() back to the writer.
  void release(std::size_t count) noexcept;

  /// Reader: events stored now.
  std::size_t size() const noexcept;

  /// Anyone: events dropped since the start.
  std::uint64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

  std::size_t capacity() const noexcept { return capacity_; }

 private:
  void store(const event& e) noexcept {
    slots_[head_ & (capacity_ - 1)] = e;
    ++head_;
    // pairs with the acquire of published_ in readable() and size().
    published_.store(head_, std::memory_order_release);
  }

  bool make_room(const event& e) noexcept;
  void drop(const event& e) noexcept;

  static constexpr std::size_t line = 64;  // keeps the two sides off each other's cache line

  const std::size_t capacity_;
  const std::unique_ptr<event[]> slots_;

  alignas(line) std::uint64_t head_ = 0;
  std::uint64_t limit_;
  std::uint64_t gap_events_ = 0;
  std::uint64_t gap_ticks_ = 0;
  std::atomic<std::uint64_t> published_{0};
  std::atomic<std::uint64_t> lost_{0};

  alignas(line) std::atomic<std::uint64_t> tail_{0};
};

}  // namespace kasuri::record
