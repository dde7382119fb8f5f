// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/base/control_window.hpp"

#include <new>

#include "kasuri/global/error.hpp"
#include "platform/memory/memory.hpp"

namespace kasuri::cluster {

control_window::control_window(transport& network, std::uint64_t log_bytes) : network_(network) {
  const std::uint64_t page = platform::page_size();
  try {
    window_ = network_.allocate((ring_start + log_bytes + page - 1) / page * page);
  } catch (const std::bad_alloc&) {
    throw global::error("global memory: no room for the log of write notices on some rank");
  }
}

}  // namespace kasuri::cluster
