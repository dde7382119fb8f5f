// SPDX-License-Identifier: Apache-2.0
// A lock that members of a team take again and again: who comes first has it first.
#pragma once

namespace kasuri::predict {

struct lock_use {
  double acquires = 0;  // of all members
  double held = 0;      // seconds, of all of them
};

/// Seconds until `members` have done `work`, of which they hold the lock for a part. Between two
/// acquires a member works for a time that varies about its mean, by up to its half; they are dealt
/// evenly.
double time_with_lock(double work, const lock_use& lock, int members);

}  // namespace kasuri::predict
