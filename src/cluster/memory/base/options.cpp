// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/base/options.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "cluster/transport/transport.hpp"
#include "kasuri/global/error.hpp"
#include "platform/memory/memory.hpp"

namespace kasuri::cluster {
namespace {

std::string text(std::uint64_t n) { return std::to_string(n); }

/// Refuses options that a rank can refuse alone.
void expect_usable_here(const transport& network, const memory_options& o) {
  const std::uint64_t block = o.block_bytes;
  if (!std::has_single_bit(block) || block < platform::page_size() || block > (1U << 30)) {
    throw global::error("KASURI_GLOBAL_BLOCK=" + text(block) + ": accepted: a power of two from " +
                        text(platform::page_size()) + " to 1073741824");
  }
  if (o.cache_bytes - spare_bytes(network, o) < block) {
    throw global::error("KASURI_CACHE_SIZE=" + text(o.cache_bytes) + ": accepted: at least " +
                        text(block + (block + 6) / 7) +
                        ", for a block of KASURI_GLOBAL_BLOCK and an eighth that is kept free");
  }
  if (network.size() > 65535) {
    throw global::error("global memory on " + std::to_string(network.size()) +
                        " ranks: accepted: up to 65535");
  }
}

}  // namespace

std::uint64_t spare_bytes(const transport& network, const memory_options& o) noexcept {
  if (!network.lets_pages_move()) return 0;
  return std::min<std::uint64_t>(o.cache_bytes / 8, std::uint64_t{4} << 20);
}

void expect_usable(transport& network, const memory_options& o) {
  expect_usable_here(network, o);
  const std::array mine{std::uint64_t{o.range_bytes}, std::uint64_t{o.heap_bytes},
                        std::uint64_t{o.block_bytes}, std::uint64_t{o.log_entries},
                        std::uint64_t{o.cached},      std::uint64_t{o.checked},
                        std::uint64_t{o.check_bytes}};
  constexpr const char* names[] = {"KASURI_GLOBAL_RANGE",
                                   "KASURI_GLOBAL_HEAP",
                                   "KASURI_GLOBAL_BLOCK",
                                   "the log of write notices",
                                   "KASURI_CACHE (1 for on, 0 for off)",
                                   "KASURI_CHECK (1 for checkout, 0 for off)",
                                   "KASURI_CHECK_MEMORY"};
  static_assert(std::size(names) == mine.size());
  std::vector<std::remove_const_t<decltype(mine)>> all(static_cast<std::size_t>(network.size()));
  network.all_gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
  for (std::size_t r = 0; r != all.size(); ++r) {
    for (std::size_t i = 0; i != std::size(names); ++i) {
      if (all[r][i] == all[0][i]) continue;
      throw global::error(std::string(names[i]) + " is " + text(all[0][i]) + " on rank 0 and " +
                          text(all[r][i]) + " on rank " + text(r) +
                          "; accepted: one value for all ranks");
    }
  }
}

}  // namespace kasuri::cluster
