// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where exit() leaves its status, so that others can say how a rank ended.

#include <atomic>
#include <cstdint>

namespace kasuri::cluster {

/// From now on a call of exit(status) in this process stores 1 + status in `word`, which must live
/// until another word or none is named.
void note_exit_in(std::atomic<std::uint32_t>* word);

/// The same is done earlier in exit(), before static objects are destroyed that exist by now.
bool tell_status_at_exit();

}  // namespace kasuri::cluster
