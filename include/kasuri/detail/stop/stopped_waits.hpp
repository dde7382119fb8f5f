// SPDX-License-Identifier: Apache-2.0
#pragma once

// The waits with a stop condition, which the headers of the objects declare.

#include <cstdint>
#include <mutex>
#include <optional>
#include <type_traits>

#include "kasuri/channel.hpp"
#include "kasuri/detail/stop/link.hpp"
#include "kasuri/future.hpp"
#include "kasuri/stop_condition.hpp"
#include "kasuri/sync.hpp"

namespace kasuri {
namespace detail {

/// Calls attempt(by, early), which waits until a time or an early end at most.
template <class Attempt>
auto wait_unless(const stop_condition& c, Attempt attempt)
    -> std::invoke_result_t<Attempt&, std::int64_t, early_end*> {
  constexpr std::int64_t look_once = 0;
  const stop_token& token = stop_access::token(c);
  if (token.stop_requested()) return attempt(look_once, nullptr);
  if (!token.stop_possible()) return attempt(stop_access::by(c), nullptr);
  stop_wait early(token);
  return attempt(stop_access::by(c), &early);
}

}  // namespace detail

template <class Predicate>
bool condition_variable::wait(std::unique_lock<mutex>& lock, const stop_condition& stop,
                              Predicate predicate) {
  while (!predicate()) {
    if (stop.stop_requested()) return false;
    detail::wait_unless(stop, [this, &lock](std::int64_t by, detail::early_end* early) {
      return wait_by(lock, by, early);
    });
  }
  return true;
}

inline bool semaphore::acquire(const stop_condition& stop) {
  return detail::wait_unless(stop, [this](std::int64_t by, detail::early_end* early) {
    return try_acquire_by(by, early);
  });
}

inline bool latch::wait(const stop_condition& stop) {
  return detail::wait_unless(
      stop, [this](std::int64_t by, detail::early_end* early) { return wait_by(by, early); });
}

template <class T>
bool channel<T>::send(const T& value, const stop_condition& stop) {
  detail::owned_message<T> m = detail::make_message<T>(value);
  const bool is_sent =
      detail::wait_unless(stop, [this, &m](std::int64_t by, detail::early_end* early) {
        return core_.send(m.get(), by, early);
      });
  if (is_sent) static_cast<void>(m.release());
  return is_sent;
}

template <class T>
bool channel<T>::send(T&& value, const stop_condition& stop) {
  return sends_from(value, [this, &stop](detail::message* m) {
    return detail::wait_unless(stop, [this, m](std::int64_t by, detail::early_end* early) {
      return core_.send(m, by, early);
    });
  });
}

template <class T>
std::optional<T> channel<T>::receive(const stop_condition& stop) {
  return value_of(detail::wait_unless(stop, [this](std::int64_t by, detail::early_end* early) {
    return core_.receive(by, early);
  }));
}

template <class R>
bool future<R>::wait(const stop_condition& stop) const {
  return detail::wait_unless(
      stop, [this](std::int64_t by, detail::early_end* early) { return wait_by(by, early); });
}

template <class R>
bool shared_future<R>::wait(const stop_condition& stop) const {
  return detail::wait_unless(
      stop, [this](std::int64_t by, detail::early_end* early) { return wait_by(by, early); });
}

}  // namespace kasuri
