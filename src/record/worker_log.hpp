// SPDX-License-Identifier: Apache-2.0
// The handle with which a worker records. The scheduler keeps a worker_log* per worker, null when
// nothing is recorded: one predictable branch is all that recording costs then.
#pragma once

#include "record/event.hpp"
#include "record/ring.hpp"
#include "record/wait_reason.hpp"

#include <cstddef>  // for size_t
#include <cstdint>  // for uint64_t

namespace kasuri::record {

/// One worker's events. Written by one thread at a time: a worker index may pass to another OS
/// thread if that happens-before its first event.
class worker_log {
 public:
  worker_log(std::uint16_t worker, worker_role role, std::size_t bytes)
      : worker_(worker), role_(role), events_(bytes) {}

  /// Writer: stamps the event with the time and stores or drops it. Not inlined, so that the places
  /// that record stay small.
  [[gnu::noinline]] void append(event_kind kind, std::uint64_t id, std::uint16_t peer,
                                std::uint8_t detail) noexcept;

  std::uint16_t worker() const noexcept { return worker_; }
  worker_role role() const noexcept { return role_; }
  ring& events() noexcept { return events_; }

 private:
  const std::uint16_t worker_;
  const worker_role role_;
  ring events_;
};

/// Records what needs no more than an id: task_begin, task_end, join, spawn, park, wake,
/// blocking_begin, blocking_end.
inline void emit(worker_log* log, event_kind kind, std::uint64_t id = 0) noexcept {
  if (log != nullptr) [[unlikely]]
    log->append(kind, id, no_peer, 0);
}

/// Records that `id` was taken from worker `victim`; `level` as counted by the placement policy,
/// 0 = nearest.
inline void emit_steal(worker_log* log, std::uint64_t id, std::uint16_t victim,
                       std::uint8_t level) noexcept {
  if (log != nullptr) [[unlikely]]
    log->append(event_kind::steal, id, victim, level);
}

/// Records that `id` leaves this worker, and why.
inline void emit_suspend(worker_log* log, std::uint64_t id, wait_reason reason) noexcept {
  if (log != nullptr) [[unlikely]] {
    log->append(event_kind::suspend, id, no_peer, static_cast<std::uint8_t>(reason));
  }
}

/// Records that `id` enters this worker again, and what it had waited for.
inline void emit_resume(worker_log* log, std::uint64_t id, wait_reason reason) noexcept {
  if (log != nullptr) [[unlikely]] {
    log->append(event_kind::resume, id, no_peer, static_cast<std::uint8_t>(reason));
  }
}

/// Records that what runs here has waited since `since` ticks without leaving its worker, and for
/// what. Nothing else may have been recorded on the worker in between.
inline void emit_waited(worker_log* log, std::uint64_t since, wait_reason reason) noexcept {
  if (log != nullptr) [[unlikely]] {
    log->append(event_kind::waited, since, no_peer, static_cast<std::uint8_t>(reason));
  }
}

/// Records spare_begin or spare_end: this spare thread stands in for worker `stuck`.
inline void emit_spare(worker_log* log, event_kind kind, std::uint16_t stuck) noexcept {
  if (log != nullptr) [[unlikely]]
    log->append(kind, 0, stuck, 0);
}

}  // namespace kasuri::record
