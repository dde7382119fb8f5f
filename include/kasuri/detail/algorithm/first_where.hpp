// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "kasuri/detail/loop/alone.hpp"
#include "kasuri/detail/loop/lazy_loop.hpp"
#include "kasuri/runtime.hpp"

// Searches that end early.
//
// The range is searched in waves. The first is serial, and ends when it has taken some
// microseconds; each later one has as many elements as all before it together, and is divided among
// workers. So at most 2 (k + 1) elements are looked at where element k is the result, and an early
// result costs no start of workers.

namespace kasuri::detail {

/// Lowers `least` to `value`. Relaxed orders throughout: the value alone passes, and a loop's join
/// orders what its pieces did.
inline void lower_to(std::atomic<std::size_t>& least, std::size_t value) noexcept {
  std::size_t seen = least.load(std::memory_order_relaxed);
  while (value < seen && !least.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

/// One wave in parallel. A worker looks every few elements whether there is an earlier result.
template <class Test>
std::size_t first_in_wave(std::size_t begin, std::size_t end, std::size_t grain, Test& test) {
  constexpr std::size_t at_once = 256;
  std::atomic<std::size_t> found{end};
  loop<cancellation::ignored>(end - begin, grain, [&](std::size_t from, std::size_t to) {
    from += begin;
    to += begin;
    while (from < to && from < found.load(std::memory_order_relaxed)) {
      const std::size_t stop = std::min(from + at_once, to);
      const std::size_t at = test(from, stop);
      if (at != stop) return lower_to(found, at);
      from = stop;
    }
  });
  return found.load(std::memory_order_relaxed);
}

/// The first index below `size` that is one looked for, or `size`. test(begin, end) says which is
/// the first of [begin, end), or end.
template <class Test>
std::size_t first_where(std::size_t size, std::size_t grain, Test&& test) {
  if (size == 0) return 0;
  const attachment guest;
  std::size_t at = size;
  bool is_found = false;
  const std::size_t least = std::max<std::size_t>(grain, 16);
  const auto look = [&](std::size_t begin, std::size_t end) {
    at = test(begin, end);
    is_found = at != end;
    return !is_found;
  };
  std::size_t done = run_alone(size, least, alone_ticks(), {least, 16, size}, look).end;
  if (is_found) return at;
  while (done < size) {
    const std::size_t stop = std::min(2 * done, size);
    at = first_in_wave(done, stop, grain, test);
    if (at != stop) return at;
    done = stop;
  }
  return size;
}

}  // namespace kasuri::detail
