// SPDX-License-Identifier: Apache-2.0
#include "record/worker_log.hpp"

#include "platform/base/clock.hpp"

namespace kasuri::record {

void worker_log::append(event_kind kind, std::uint64_t id, std::uint16_t peer,
                        std::uint8_t detail) noexcept {
  events_.push({.ticks = platform::ticks(),
                .id = id,
                .reserved = 0,
                .peer = peer,
                .kind = kind,
                .detail = detail});
}

}  // namespace kasuri::record
