// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a stop condition does when it is met: it cancels a scope, or ends a wait.

#include <atomic>
#include <cstdint>
#include <optional>

#include "kasuri/detail/stop/early_end.hpp"
#include "kasuri/detail/scope.hpp"
#include "kasuri/detail/stop/token.hpp"
#include "kasuri/detail/time.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

/// A timer that cancels a scope, in the library: src/task/time/stop_timer.cpp.
struct stop_timer;

/// From that time of the steady clock on the scope is cancelled: by the timers' own thread, so that
/// no worker has to be free for it. Null: it is cancelled already. Throws std::bad_alloc, also
/// where the system gives no thread for timers.
stop_timer* start_stop_timer(scope& s, std::int64_t at);
/// Behind it the timer does not touch the scope.
void end_stop_timer(stop_timer* t) noexcept;

/// While it lives, the scope is cancelled once the token is stopped, or at the time.
class stop_link {
 public:
  stop_link(const stop_token& token, std::int64_t at, scope& s)
      : callback_(token, cancels{&s}), timer_(at == never ? nullptr : start_stop_timer(s, at)) {}
  ~stop_link() {
    if (timer_ != nullptr) end_stop_timer(timer_);
  }
  stop_link(const stop_link&) = delete;
  stop_link& operator=(const stop_link&) = delete;

 private:
  // On the thread that stops the token.
  struct cancels {
    scope* of;
    // relaxed: a hint, by which nothing is published
    void operator()() const noexcept { of->canceled.store(true, std::memory_order_relaxed); }
  };

  stop_callback<cancels> callback_;
  stop_timer* timer_;
};

/// A wait that ends when the token is stopped.
struct stop_wait : early_end {
  explicit stop_wait(const stop_token& t) noexcept : early_end{subscribe, unsubscribe}, token(t) {}

  static void subscribe(early_end& e) noexcept {
    auto& self = static_cast<stop_wait&>(e);
    self.callback.emplace(self.token, ends{&self});
  }
  static void unsubscribe(early_end& e) noexcept { static_cast<stop_wait&>(e).callback.reset(); }

  struct ends {
    stop_wait* what;
    void operator()() const noexcept { end_wait(*what); }
  };

  const stop_token& token;
  std::optional<stop_callback<ends>> callback;
};

}  // namespace detail
}  // namespace kasuri
