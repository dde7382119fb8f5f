// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace kasuri::sched {

class extra_tokens;
class looking;
class pool;
class waker;

/// The worker's wish for a token, and whether it has brought one: pool/waker.hpp and
/// pool/extra_tokens.hpp.
class token_seat {
 public:
  enum class wish : std::uint32_t { none, enter, go_home };

 private:
  friend class extra_tokens;
  friend class looking;
  friend class pool;
  friend class waker;

  /// Written under the pool's waiting_lock_ but for the reset.
  std::atomic<wish> wants_token_{wish::none};
  /// Of a guest that waits to enter: 1 when it has a token.
  std::atomic<std::uint32_t> granted_{0};
  bool brought_token_ = false;  // of a guest: see pool::no_token
  /// Since when it has seen guests wait for a token, ticks; or 0.
  std::uint64_t others_wait_since_ = 0;
};

}  // namespace kasuri::sched
