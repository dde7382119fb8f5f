// SPDX-License-Identifier: Apache-2.0
#pragma once

// The window with what the processes tell each other about global memory: words for atomic
// operations of the network, on cache lines of their own if often used, and behind them the ring of
// the log of write notices.

#include <cstdint>

#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

class control_window {
 public:
  /// Collective; the log has `log_bytes`. Throws global::error where a rank has no room.
  control_window(transport& network, std::uint64_t log_bytes);
  control_window(const control_window&) = delete;
  control_window& operator=(const control_window&) = delete;
  ~control_window() = default;

  /// Collective: gives the window back.
  void end() { network_.free(window_); }

  static constexpr std::uint64_t log_word = 0;        // notices entered so far: notice_ring.hpp
  static constexpr std::uint64_t versions_word = 32;  // not 0: a rank reads versions: versions.hpp
  static constexpr std::uint64_t all_told_word = 40;  // ... at rank 0: all have been told so
  static constexpr std::uint64_t freed_word = 64;     // objects that others freed here: heap.hpp
  static constexpr std::uint64_t ring_start = 128;
  static_assert((log_word | versions_word | all_told_word | freed_word) % 8 == 0,
                "words of atomic operations are aligned");
  static_assert(freed_word + 8 <= ring_start, "the ring lies behind the words");

  [[nodiscard]] const window& where() const noexcept { return window_; }

 private:
  transport& network_;
  window window_;
};

}  // namespace kasuri::cluster
