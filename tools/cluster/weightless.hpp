// SPDX-License-Identifier: Apache-2.0
#pragma once

// A simulated network on which the bytes of arrays have size but no content: messages take their
// time, and nothing is copied. So thousands of ranks with gigabytes each fit into one process.

#include <cstddef>
#include <cstdint>

#include "cluster/transport/forwarding.hpp"

namespace kasuri::tools::cluster {

class weightless final : public kasuri::cluster::forwarding_transport {
 public:
  using window = kasuri::cluster::window;

  explicit weightless(kasuri::cluster::transport& net) noexcept : forwarding_transport(net) {}

  /// The memory [start, start + bytes) of this rank has no content from now on.
  void empty(const std::byte* start, std::uint64_t bytes) noexcept {
    start_ = start;
    bytes_ = bytes;
  }

  void put(int target, const window& w, std::size_t offset, const void* from,
           std::size_t bytes) override {
    net_.put(target, w, offset, is_empty(from) ? nullptr : from, bytes);
  }
  void get(int target, const window& w, std::size_t offset, void* to, std::size_t bytes) override {
    net_.get(target, w, offset, is_empty(to) ? nullptr : to, bytes);
  }

 private:
  [[nodiscard]] bool is_empty(const void* at) const noexcept {
    return reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(start_) < bytes_;
  }

  const std::byte* start_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace kasuri::tools::cluster
