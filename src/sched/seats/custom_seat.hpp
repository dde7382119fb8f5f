// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kasuri::sched {

class pool;
struct look;
struct worker;

/// The notes of policy/custom_steal.cpp on a thief.
class custom_seat {
  friend look custom_steal(worker& thief, pool& all, bool& overruled) noexcept;

  std::uint32_t fruitless_ = 0;    // rounds of the program's steal function that took nothing
  std::uint32_t passed_over_ = 0;  // ... though there was something to take
};

}  // namespace kasuri::sched
