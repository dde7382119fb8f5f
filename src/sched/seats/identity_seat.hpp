// SPDX-License-Identifier: Apache-2.0
#pragma once

// The thread-locals that the worker has: worker/identity.cpp has the protocol.

#include <atomic>
#include <cstdint>

#include "context/identity.hpp"

namespace kasuri::sched {

struct identity_seat {
  /// The OS thread's.
  context::identity native;
  /// It has these when its task wears none (task_seat::wears).
  context::identity* own = &native;
  bool forwent_rseq = false;
  context::identity_stock identities;  // the front end's

  /// Whether the task that runs wears an identity, so that the native thread-locals are not in use.
  /// For the monitor.
  std::atomic<bool> dressed{false};
  /// Whether the native thread-locals are another worker's to use.
  enum class loan : std::uint32_t { none, asked, lent };
  std::atomic<loan> native_loan{loan::none};
  /// It has these during the loan. The monitor's before that.
  context::identity* understudy = nullptr;
};

}  // namespace kasuri::sched
