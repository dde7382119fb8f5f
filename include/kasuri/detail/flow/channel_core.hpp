// SPDX-License-Identifier: Apache-2.0
#pragma once

// A channel without the type of its messages: src/task/flow/channel_queue.hpp has the protocol.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

/// The head of a message. The message belongs to the sender until it is sent, and to the receiver
/// afterwards; between the two to the channel.
struct message {
  message* next;
};

struct channel_waiter;
struct coroutine_access;  // detail/coroutine/waiter.hpp
struct early_end;

/// What a channel holds, under its lock.
struct channel_state {
  /// A spin lock, held for some instructions: 1 while a thread has it.
  std::atomic<std::uint32_t> locked{0};
  bool closed = false;
  /// The most messages it holds, and how many it holds.
  std::size_t capacity;
  std::size_t count = 0;
  /// The youngest message, and the youngest thread that waits; the `next` of each is the oldest.
  message* last_message = nullptr;
  channel_waiter* last = nullptr;
};

class channel_core {
 public:
  explicit channel_core(std::size_t capacity) noexcept { state_.capacity = capacity; }
  channel_core(const channel_core&) = delete;
  channel_core& operator=(const channel_core&) = delete;

  /// True: the message is the channel's, or a receiver's. False: the channel is closed, or a wait
  /// for room has ended by the time or the early end; the message is the caller's. Throws
  /// std::bad_alloc: it is too.
  bool send(message* m, std::int64_t by = INT64_MAX, early_end* early = nullptr);
  /// The same without waiting: false also when there is no room.
  bool try_send(message* m) noexcept;

  /// The oldest message; null: closed, and all are received, or the wait has ended by the time or
  /// the early end. Throws std::bad_alloc.
  message* receive(std::int64_t by = INT64_MAX, early_end* early = nullptr);
  /// The same without waiting: null also when there is none now.
  message* try_receive() noexcept;

  void close() noexcept;
  bool is_closed() noexcept;
  std::size_t size() noexcept;
  std::size_t capacity() const noexcept { return state_.capacity; }
  bool is_idle() noexcept;

  /// Of a channel that nobody uses any more: the messages as a chain that ends with null.
  message* take_all() noexcept;

 private:
  friend coroutine_access;

  channel_state state_;
};

}  // namespace detail
}  // namespace kasuri
