// SPDX-License-Identifier: Apache-2.0
#pragma once

// The thread-locals that the worker has: worker/identity.cpp has the protocol.

#include "context/identity.hpp"
#include "kasuri/detail/atomics.hpp"
#include "sched/kernel/native_loan.hpp"

namespace kasuri::sched {

struct identity_seat {
  /// The OS thread's.
  context::identity native;
  /// It has these when its task wears none (task_seat::wears).
  context::identity* own = &native;
  bool forwent_rseq = false;
  context::identity_stock identities;  // the front end's

  /// Whether the native thread-locals are in use, or another worker's to use.
  native_loan<detail::real_atomics> loan;
  /// It has these during the loan. The monitor's before that.
  context::identity* substitute = nullptr;
};

}  // namespace kasuri::sched
