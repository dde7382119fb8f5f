// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cluster/transport/job/job_file.hpp"

namespace kasuri::cluster {

/// How long a thread sleeps on a word of the job's file before it looks at the state of the job.
inline constexpr std::uint64_t look_every = 200'000'000;

/// The word as the system sees it, for sleeping on it.
inline std::uint32_t& plain(shared_word& word) noexcept {
  return reinterpret_cast<std::uint32_t&>(word);
}

}  // namespace kasuri::cluster
