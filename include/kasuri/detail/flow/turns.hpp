// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whose turn it is at a stage of a pipeline that goes in order: src/task/flow/turns.cpp.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

struct turn_waiter;

struct turns_state {
  // Waiters by the last digits of their numbers: the next one is found at once.
  static constexpr std::size_t lists = 32;

  /// A spin lock, held for some instructions: 1 while a thread has it.
  std::atomic<std::uint32_t> locked{0};
  bool given_up = false;
  /// The number whose turn it is.
  std::uint64_t count = 0;
  /// The youngest waiter of each list, whose `next` is the oldest.
  std::array<turn_waiter*, lists> last{};
};

class turns {
 public:
  turns() noexcept = default;
  turns(const turns&) = delete;
  turns& operator=(const turns&) = delete;

  /// Returns when it is the turn of `number`, which comes once: true. False: the pipeline has been
  /// given up. Throws std::bad_alloc.
  [[nodiscard]] bool wait_for(std::uint64_t number);
  /// The turn goes to the next number.
  void pass() noexcept;
  /// No turn comes any more: all that wait and will wait get false.
  void give_up() noexcept;

 private:
  turns_state state_;
};

}  // namespace detail
}  // namespace kasuri
