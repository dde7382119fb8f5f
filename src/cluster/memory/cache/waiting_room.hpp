// SPDX-License-Identifier: Apache-2.0
#pragma once

// Waiting for room in the cache. A checkout for which there is none, since all of it is checked
// out, steps back so that other tasks run, and tries again: some of them check in. It fails only
// where nobody can check in: where each copy of others' memory that is checked out is held on a
// stack that itself waits for room. No clock decides that. A checkout knows its stack by an address
// on it (pins.hpp), so a task that is suspended elsewhere, for another reason, counts as one that
// will go on.
//
// `waiting_` guards the list of those who wait, and how often one has left it. One who finds that
// only waiters hold the cache looks at the cache a second time, and gives up only if nobody has
// left the list in between: as long as nobody leaves it, nobody checks in. Invariant: a waiter in
// the list is on a stack that goes no further.

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "cluster/memory/base/requests.hpp"
#include "cluster/memory/blocks/room.hpp"
#include "cluster/memory/cache/arrivals.hpp"
#include "cluster/memory/cache/evictor.hpp"
#include "cluster/memory/cache/site.hpp"

namespace kasuri::cluster {

class waiting_room {
 public:
  waiting_room(const cache_site& at, room& of, evictor& evicts, arrivals& under_way) noexcept
      : at_(at), room_(of), evicts_(evicts), under_way_(under_way) {}

  /// Takes room for `bytes`, and evicts until they fit. The caller has no blocks locked: a thread
  /// that has some goes on without waiting for it, and it waits for that thread. `first`: of the
  /// checkouts that want it, for messages. Throws global::error where there will never be room.
  void take(std::uint64_t bytes, const checkout_request& first);

 private:
  class waiter;
  /// Counts the waiters that have left the list.
  using leavings = std::uint64_t;

  void wait(std::uint64_t bytes, const checkout_request& first);
  [[nodiscard]] bool gives_up(waiter& me, std::uint64_t bytes);
  [[nodiscard]] bool is_copy(const pinned_range& p) const;
  [[nodiscard]] bool all_wait(const waiter& me) const;
  [[nodiscard]] bool only_waiters_hold(const waiter& me, leavings& left) const;
  [[nodiscard]] bool leave_if_still(waiter& me, leavings left);
  [[noreturn]] void refuse(const checkout_request& first, const std::string& why) const;

  const cache_site& at_;
  room& room_;
  evictor& evicts_;
  arrivals& under_way_;
  mutable std::mutex waiting_;  // guards the next two
  leavings left_ = 0;
  std::vector<const waiter*> waiters_;
};

}  // namespace kasuri::cluster
