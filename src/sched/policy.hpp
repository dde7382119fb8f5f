// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where a worker looks for work when its own deque and ring are empty. Policies are chosen at start
// (KASURI_SCHED) by name from the table in policy.cpp; the worker loop knows only this interface.

#include <memory>
#include <string_view>

#include "kasuri/detail/frame.hpp"

namespace kasuri::sched {

struct worker;
class pool;

/// What one round over the places to look at came to.
struct look {
  detail::frame* found = nullptr;
  bool saw_work = false;  // there were frames, taken or not
};

class policy {
 public:
  virtual ~policy() = default;

  /// A place of the worker's own that comes before stealing (a mailbox, a migration queue).
  virtual detail::frame* own(worker&) { return nullptr; }

  /// One round over the victims.
  virtual look steal(worker& thief, pool& all) = 0;

  /// Whether there is work in places that only this policy knows; before a worker sleeps.
  virtual bool has_work() const { return false; }
};

/// The policy of that name, or null.
std::unique_ptr<policy> make_policy(std::string_view name);

/// Tries to take a frame from `victim`: public, ready, then by request or rescue. For policies.
look take_from(worker& thief, worker& victim) noexcept;

}  // namespace kasuri::sched
