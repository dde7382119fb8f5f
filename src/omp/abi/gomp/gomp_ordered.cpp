// SPDX-License-Identifier: Apache-2.0
#include <cstdarg>

#include "omp/abi/gomp/gomp_loop.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/tool/mutex.hpp"
#include "omp/work/ordered.hpp"

using namespace kasuri::omp;

namespace {

/// Waits for the iteration whose indices are `first` and those that follow it.
template <class Index>
void wait_for(Index first, va_list rest) noexcept {
  member& m = self();
  if (m.work.doacross.flags == nullptr) return;
  std::int64_t index[gomp::most_dimensions] = {static_cast<std::int64_t>(first)};
  for (std::uint64_t i = 1; i < m.work.doacross.count; ++i)
    index[i] = static_cast<std::int64_t>(va_arg(rest, Index));
  wait_for_iteration(m, index);
}

}  // namespace

extern "C" {

void kasuri_GOMP_ordered_start() {
  member& m = self();
  const tool::acquiring seen(tool::mutex_kind::ordered, ordered_mutex(m));
  enter_ordered(m);
}

void kasuri_GOMP_ordered_end() {
  const member& m = self();
  const tool::releasing seen(tool::mutex_kind::ordered, ordered_mutex(m));
  leave_ordered(m);
}

/// Also of unsigned indices: the words are the same.
void kasuri_GOMP_doacross_post(long* index) {
  tool::called();
  post_iteration(self(), reinterpret_cast<const std::int64_t*>(index));
}

void kasuri_GOMP_doacross_wait(long first, ...) {
  tool::called();
  va_list rest;
  va_start(rest, first);
  wait_for(first, rest);
  va_end(rest);
}

void kasuri_GOMP_doacross_ull_wait(unsigned long long first, ...) {
  tool::called();
  va_list rest;
  va_start(rest, first);
  wait_for(first, rest);
  va_end(rest);
}

}  // extern "C"
