// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Channels: messages from any number of senders to any number of receivers, each of which may be a
/// task or an OS thread. An end that waits blocks the task and not the worker.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "kasuri/detail/flow/channel_core.hpp"
#include "kasuri/detail/exceptions.hpp"
#include "kasuri/detail/records.hpp"

namespace [[gnu::visibility("default")]] kasuri {

class stop_condition;

/// The capacity of a channel in which send never waits.
inline constexpr std::size_t unbounded = static_cast<std::size_t>(-1);

namespace detail {

/// A message with its value, in memory of its own: it is made before the channel's lock is taken,
/// and its value moved out behind it.
template <class T>
struct message_with : message {
  T value;

  template <class From>
  explicit message_with(From&& from) : value(std::forward<From>(from)) {}
};

struct message_memory {
  template <class Message>
  static void* get() {
    if constexpr (alignof(Message) <= 64)
      return allocate_record(self(), sizeof(Message));
    else
      return ::operator new(sizeof(Message), std::align_val_t(alignof(Message)));
  }
  template <class Message>
  static void give_back(void* memory) noexcept {
    if constexpr (alignof(Message) <= 64)
      release_record(self(), memory, sizeof(Message));
    else
      ::operator delete(memory, sizeof(Message), std::align_val_t(alignof(Message)));
  }
};

template <class T>
struct message_deleter {
  void operator()(message_with<T>* m) const noexcept {
    std::destroy_at(m);
    message_memory::give_back<message_with<T>>(m);
  }
};
template <class T>
using owned_message = std::unique_ptr<message_with<T>, message_deleter<T>>;

template <class T, class From>
owned_message<T> make_message(From&& value) {
  void* const memory = message_memory::get<message_with<T>>();
  KASURI_TRY { return owned_message<T>(new (memory) message_with<T>(std::forward<From>(value))); }
  KASURI_CATCH_ALL {
    message_memory::give_back<message_with<T>>(memory);
    KASURI_RETHROW;
  }
}

struct channel_access;

}  // namespace detail

/// Messages of type T, received in the order in which they were sent: first in, first out over all
/// senders and receivers. Each message is received once.
///
/// A channel has a capacity. Where it is full, send waits for room; with capacity 0 each send waits
/// until a receiver has taken the message. Waiters are served in the order they came.
///
/// close() ends the stream: nothing is sent any more, what was sent is still received, and then
/// each receive returns at once with nothing. It may not be copied, moved, or destroyed while a
/// thread waits; it may be destroyed by a thread that it has let go on, at once. Messages that were
/// not received are destroyed with it.
///
/// No code of T runs under the channel's lock, so copies, moves and destructors of messages may
/// throw, block, and use the channel themselves.
///
/// Costs: each message lies in a small record of its own. A send and a receive that do not wait
/// take some tens of nanoseconds together.
/// @tparam T  a movable type, of any alignment
/// @par Thread-safety: all calls but construction and destruction, from any thread.
template <class T>
class channel {
  static_assert(std::is_object_v<T> && !std::is_const_v<T> && std::is_move_constructible_v<T>,
                "the messages of a channel are objects that move");

 public:
  class iterator;

  /// @param capacity  the most messages that it holds: 0, or any number; kasuri::unbounded: as many
  ///                  as there is memory for.
  explicit channel(std::size_t capacity) noexcept : core_(capacity) {}
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;
  ~channel() {
    for (detail::message* m = core_.take_all(); m != nullptr;) {
      const detail::owned_message<T> dropped(of(m));
      m = m->next;
    }
  }

  /// Sends a copy of the message; waits for room.
  /// @return false: the channel is closed, and nothing is sent.
  /// @throw std::bad_alloc when there is no memory for the message or to wait with; what the copy
  ///        throws. Nothing is sent then.
  [[nodiscard]] bool send(const T& value) {
    detail::owned_message<T> m = detail::make_message<T>(value);
    if (!core_.send(m.get())) return false;
    static_cast<void>(m.release());
    return true;
  }

  /// Moves the message in. Where nothing is sent, `value` has its value again, unless its move
  /// throws on the way back.
  /// @return as above
  /// @throw as above
  [[nodiscard]] bool send(T&& value) {
    return sends_from(value, [this](detail::message* m) { return core_.send(m); });
  }

  /// Sends a copy of the message; waits for room until the condition is met at most. Needs
  /// kasuri/stop.hpp.
  /// @param value  copied once there is room
  /// @param stop   as a std::stop_token, or what stop_after and stop_at make
  /// @return false: the condition was met before, or the channel is closed; nothing is sent.
  /// @throw as without a condition
  [[nodiscard]] bool send(const T& value, const stop_condition& stop);
  /// The same by a move. Where nothing is sent, `value` has its value again, as for send.
  [[nodiscard]] bool send(T&& value, const stop_condition& stop);

  /// Sends without waiting.
  /// @return false: there is no room (with capacity 0: no receiver waits), or the channel is closed
  /// @throw std::bad_alloc when there is no memory for the message; what the copy throws
  [[nodiscard]] bool try_send(const T& value) {
    detail::owned_message<T> m = detail::make_message<T>(value);
    if (!core_.try_send(m.get())) return false;
    static_cast<void>(m.release());
    return true;
  }

  /// The same by a move. Where nothing is sent, `value` has its value again, as for send.
  [[nodiscard]] bool try_send(T&& value) {
    return sends_from(value, [this](detail::message* m) { return core_.try_send(m); });
  }

  /// Receives the oldest message; waits for one.
  /// @return the message; empty: the channel is closed, and all messages are received.
  /// @throw std::bad_alloc when there is no memory to wait with: nothing is received then; what the
  ///        move of the message throws: it is lost then.
  [[nodiscard]] std::optional<T> receive() { return value_of(core_.receive()); }

  /// Receives the oldest message; waits for one until the condition is met at most. Needs
  /// kasuri/stop.hpp.
  /// @param stop  as a std::stop_token, or what stop_after and stop_at make
  /// @return the message; empty: the condition was met before, or the channel is closed and all
  ///         messages are received. is_closed() tells which.
  /// @throw as without a condition
  [[nodiscard]] std::optional<T> receive(const stop_condition& stop);

  /// Receives without waiting.
  /// @return the message; empty: there is none now. is_closed() tells whether more may come.
  /// @throw what the move of the message throws: it is lost then.
  [[nodiscard]] std::optional<T> try_receive() { return value_of(core_.try_receive()); }

  /// Ends the stream, once or again. Senders that wait return false, and receivers that wait return
  /// with nothing.
  void close() noexcept { core_.close(); }

  /// Whether close() was called.
  bool is_closed() const noexcept { return core_.is_closed(); }

  /// The messages it holds now; those of senders that wait are not counted.
  std::size_t size() const noexcept { return core_.size(); }

  /// As the constructor was told.
  std::size_t capacity() const noexcept { return core_.capacity(); }

  /// Whether no thread waits now.
  bool is_idle() const noexcept { return core_.is_idle(); }

  /// Receives the first message of a loop: `for (T& m : channel)` ends when the channel is closed
  /// and all is received. Several loops may run at a time; each message comes to one of them.
  /// @throw as receive(); so does the iterator's increment.
  iterator begin() { return iterator(*this); }
  /// The end of such a loop.
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  friend detail::channel_access;

  static detail::message_with<T>* of(detail::message* m) noexcept {
    return static_cast<detail::message_with<T>*>(m);
  }

  static std::optional<T> value_of(detail::message* m) {
    if (m == nullptr) return std::nullopt;
    const detail::owned_message<T> received(of(m));
    return std::optional<T>(std::move(received->value));
  }

  static void move_back(T& to, T& from) {
    static_assert(std::is_move_assignable_v<T> || std::is_nothrow_move_constructible_v<T>,
                  "a message that is moved in and not sent is moved back: by its move assignment, "
                  "or by a move constructor that does not throw");
    if constexpr (std::is_move_assignable_v<T>) {
      to = std::move(from);
    } else {
      std::destroy_at(std::addressof(to));
      new (std::addressof(to)) T(std::move(from));
    }
  }

  template <class Send>
  static bool sends_from(T& value, Send send) {
    detail::owned_message<T> m = detail::make_message<T>(std::move(value));
    bool sent;
    KASURI_TRY { sent = send(m.get()); }
    KASURI_CATCH_ALL {
      move_back(value, m->value);
      KASURI_RETHROW;
    }
    if (sent)
      static_cast<void>(m.release());
    else
      move_back(value, m->value);
    return sent;
  }

  mutable detail::channel_core core_;
};

/// An input iterator over the messages of a channel as they come.
template <class T>
class channel<T>::iterator {
 public:
  using iterator_concept = std::input_iterator_tag;  ///< one pass
  using value_type = T;                              ///< a message
  using difference_type = std::ptrdiff_t;            ///< of no use: the iterator only goes on

  /// The message, until the iterator goes on.
  T& operator*() const noexcept { return *value_; }
  /// The same.
  T* operator->() const noexcept { return std::addressof(*value_); }

  /// Receives the next message.
  iterator& operator++() {
    value_.reset();
    if (detail::message* const m = from_->core_.receive()) {
      const detail::owned_message<T> received(of(m));
      value_.emplace(std::move(received->value));
    }
    return *this;
  }
  /// The same.
  void operator++(int) { ++*this; }

  /// Whether the channel is closed, and all is received.
  friend bool operator==(const iterator& i, std::default_sentinel_t) noexcept {
    return !i.value_.has_value();
  }

 private:
  friend channel;
  explicit iterator(channel& from) : from_(std::addressof(from)), value_(from.receive()) {}

  channel* from_;
  mutable std::optional<T> value_;
};

namespace detail {

/// For coroutines.
struct channel_access {
  template <class T>
  static channel_core& core(channel<T>& c) noexcept {
    return c.core_;
  }
  template <class T>
  static std::optional<T> value_of(message* m) {
    return channel<T>::value_of(m);
  }
};

}  // namespace detail
}  // namespace kasuri
