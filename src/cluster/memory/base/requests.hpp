// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kasuri/global/access.hpp"

namespace kasuri::cluster {

using global::access;

/// Bytes [begin, end) of the address range.
struct global_range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct checkout_request {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  access mode = access::read;

  [[nodiscard]] global_range range() const noexcept { return {offset, offset + bytes}; }
  [[nodiscard]] bool reads() const noexcept { return mode != access::write; }
  [[nodiscard]] bool writes() const noexcept { return mode != access::read; }
};

}  // namespace kasuri::cluster
