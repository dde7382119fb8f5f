// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kasuri::sched {

/// The profile's section `forks` is written from here on.
void enter_forks() noexcept;

}  // namespace kasuri::sched
