// SPDX-License-Identifier: Apache-2.0
#pragma once

// A policy says where a worker looks for work of others. It is chosen at start (KASURI_SCHED) by
// name (policy/make_policy.cpp); the pool and the worker loop know only this interface. All
// policies honour the place to which a frame was sent (mailbox.hpp).
//
// Order of search: own deque, own ready threads, own mailbox, the node's mailbox, steal_near, the
// inbox, mailboxes of others (after a moment of patience), steal_far.

#include <cstdint>

#include "sched/pool/steal.hpp"

namespace kasuri::sched {

struct worker;
class pool;

class policy {
 public:
  virtual ~policy() = default;

  /// One round over the victims near the thief; and over all others.
  virtual look steal_near(worker& thief, pool& all) = 0;
  virtual look steal_far(worker&, pool&) { return {}; }

  /// Whether `thief`, the caller, takes what `victim` has queued now; and what was sent to it.
  virtual bool may_take(const worker&, const worker&) const { return true; }
  virtual bool may_open(const worker&, const worker&) const { return true; }

  /// Whether `sleeper` is the one to wake for what `by`, the caller, has made visible.
  virtual bool wakes(const worker&, const worker&) const { return true; }

  /// The least depth of letters that `thief` takes from other workers' mailboxes.
  virtual int depth_of(const worker&) const { return 0; }

  /// Whether `thief`, idle for so many ticks in which it looked so often, leaves to others what is
  /// theirs a while longer.
  virtual bool holds_back(const worker&, std::uint64_t, unsigned) const { return false; }
  /// The search of `thief` has ended; `own`: by what came to it, not by what it took.
  virtual void has_found(worker&, bool) const {}

  /// Whether guests own the line of workers: extent.hpp.
  virtual bool routes() const { return false; }
};

}  // namespace kasuri::sched
