// SPDX-License-Identifier: Apache-2.0
// The file of a profile: a JSON object a line, each a snapshot of all since the start. A reader
// takes the last whole line, so a program that is killed leaves what was known a moment before.
#pragma once

#include <cstdint>  // for uint64_t
#include <string>   // for string

#include "profile/watch/system_time.hpp"

namespace kasuri::profile {

class os_threads;
class series;
class system_waits;
class timeline;

inline constexpr int format_version = 1;

/// What the watcher has gathered.
struct gathered {
  const os_threads& threads;
  const series& over_time;
  const timeline& by_worker;
  const system_waits& waits;
  const system_time& at_start;
  std::int64_t started_unix_ns;
};

/// The line, with its end. `last`: the program has come to its end. `cost`: seconds of processor
/// time that the watcher has used.
std::string snapshot(const gathered& g, std::uint64_t start_ticks, bool last, double cost);

}  // namespace kasuri::profile
