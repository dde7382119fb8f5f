// SPDX-License-Identifier: Apache-2.0
// Whether this process records a profile (KASURI_PROFILE): where its time goes, by place of the
// source. Every hook begins with this test: one relaxed load where nothing is recorded.
#pragma once

#include <atomic>  // for atomic

namespace kasuri::profile {

extern constinit std::atomic<bool> recording;

inline bool active() noexcept { return recording.load(std::memory_order_relaxed); }

}  // namespace kasuri::profile
