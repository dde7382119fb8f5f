// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/space/address_range.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <vector>

#include "kasuri/global/error.hpp"
#include "platform/base/expect.hpp"
#include "platform/memory/fixed_memory.hpp"
#include "platform/memory/memory.hpp"

namespace kasuri::cluster {
namespace {

// Where the range may begin: far from what programs, libraries, stacks and sanitizers use.
constexpr std::uint64_t first_try = 0x2000'0000'0000;
constexpr std::uint64_t try_step = 0x0200'0000'0000;
constexpr int tries = 24;

}  // namespace

address_range::address_range(transport& network, const memory_options& options)
    : shift_(static_cast<unsigned>(std::countr_zero(options.block_bytes))),
      mask_(options.block_bytes - 1),
      bytes_(whole_blocks(options.range_bytes)) {
  if (options.same_address && network.size() != 1)
    take_everywhere(network);
  else
    take_anywhere();
  KASURI_EXPECT(cheap, std::has_single_bit(block_bytes()) && within(bytes_) == 0,
                "a range of %llu bytes in blocks of %llu", static_cast<unsigned long long>(bytes_),
                static_cast<unsigned long long>(block_bytes()));
}

address_range::~address_range() {
  if (base_ != nullptr) platform::release(base_, bytes_);
}

void address_range::take_anywhere() {
  base_ = static_cast<std::byte*>(platform::take_addresses(nullptr, bytes_));
  if (base_ != nullptr) return;
  throw global::error("global memory: the system refuses " + std::to_string(bytes_) +
                      " bytes of address space; accepted: a limit (ulimit -v) above that, or a "
                      "smaller KASURI_GLOBAL_RANGE");
}

void address_range::take_everywhere(transport& network) {
  std::vector<std::uint8_t> all(static_cast<std::size_t>(network.size()));
  for (int i = 0; i != tries; ++i) {
    const std::uint64_t at = first_try + static_cast<std::uint64_t>(i) * try_step;
    void* taken = platform::take_addresses(reinterpret_cast<void*>(at), bytes_);
    const std::uint8_t mine = taken != nullptr ? 1 : 0;
    network.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    if (std::ranges::find(all, 0) == all.end()) {
      base_ = static_cast<std::byte*>(taken);
      return;
    }
    if (taken != nullptr) platform::release(taken, bytes_);
  }
  throw global::error("global memory: no " + std::to_string(bytes_) +
                      " bytes of address space are free at the same place on all ranks; accepted: "
                      "a limit (ulimit -v) above that, or a smaller KASURI_GLOBAL_RANGE");
}

}  // namespace kasuri::cluster
