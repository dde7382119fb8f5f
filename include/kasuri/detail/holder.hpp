// SPDX-License-Identifier: Apache-2.0
#pragma once

// The holder of an object, for the dump of a program that hangs: the page of the stack on which the
// call stood that took it. That is one store, of a number at hand, and the page tells the thread,
// for each thread has a stack of its own, wherever it goes on.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kasuri::detail {

class holder {
 public:
  /// The caller has it from here on.
  [[gnu::always_inline]] inline void is_caller() noexcept {
    page_.store(page_of(__builtin_frame_address(0)), std::memory_order_relaxed);
  }

  /// A coroutine has it, which has no stack to go by.
  void is_coroutine() noexcept { page_.store(of_coroutine, std::memory_order_relaxed); }

  /// Where who had it last stood; 0: nobody had it yet; or of_coroutine.
  std::uint32_t page() const noexcept { return page_.load(std::memory_order_relaxed); }

  static constexpr std::size_t page_bytes = 4096;
  static constexpr std::uint32_t of_coroutine = 1;  // no stack lies so low

  /// The number of a page; the same for pages that lie 16 TiB apart.
  static std::uint32_t page_of(const void* address) noexcept {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) / page_bytes);
  }

 private:
  std::atomic<std::uint32_t> page_{0};
};

}  // namespace kasuri::detail
