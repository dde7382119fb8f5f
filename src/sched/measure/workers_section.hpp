// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kasuri::sched {

class pool;

/// The pool's part of the profile is written from here on, and tasks that wait for a worker are
/// counted for it.
void enter_profile(pool& p);

}  // namespace kasuri::sched
