// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums by lock. Who holds a lock writes its row; so its sums need no instruction that is locked.

#include <array>
#include <atomic>
#include <cstdint>

#include "profile/base/sum.hpp"
#include "profile/base/top_places.hpp"
#include "omp/tool/types.hpp"
#include "profile/base/json.hpp"
#include "profile/strand/strand.hpp"
#include "record/counter.hpp"

namespace kasuri::omp::sums {

struct lock_row {
  explicit lock_row(std::uint64_t k) noexcept : key(k) {}
  const std::uint64_t key;  // the lock's address
  lock_row* next = nullptr;
  std::atomic<tool::mutex_kind> kind{tool::mutex_kind::lock};
  std::atomic<int> waiters{0};
  record::counter count, contended, wait, held;
  // While nobody had had to wait for it: of these not all are timed.
  record::counter quiet_count, quiet_timed, quiet_held;
  profile::top_places waits, holders;

  // Of who holds it.
  const void* site = nullptr;  // where it was acquired
  std::uint64_t since = 0;     // when; 0: this time is not measured
  bool is_quiet = true;
  unsigned depth = 0;  // of a nestable lock
  profile::path path;  // of the one that released it last while others waited

  /// As far as it is known.
  double held_seconds() const noexcept;
};

void write_locks(profile::json& to);
void begin_locks_anew() noexcept;

}  // namespace kasuri::omp::sums
