// SPDX-License-Identifier: Apache-2.0
#include "platform/settings/idle_openblas.hpp"

#include <cstdlib>

#include "platform/settings/settings_load.hpp"
#include "platform/settings/settings_text.hpp"

namespace kasuri::platform {

void let_idle_openblas_sleep() noexcept {
  if (const char* const said = std::getenv("KASURI_OPENBLAS")) {
    settings scratch{};
    const auto problem = parse_value(*find_setting("KASURI_OPENBLAS"), said, scratch);
    if (problem || !scratch.openblas) return;
  }
  // 2^16 ticks, some 25 us: longer than the gaps between the steps of one factorisation. With
  // 2^8 to 2^20 solving 768 equations took the same time, alone; beside others 2^20 took a fourth
  // more.
  ::setenv("OPENBLAS_THREAD_TIMEOUT", "16", 0);
}

}  // namespace kasuri::platform
