// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cluster/transport/transport.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

/// Puts and gets under way, and the ranks that must be flushed before they are done. A transfer
/// that follows the one before it, here and there, goes in one with it: a range of many blocks is
/// one message.
class transfers {
 public:
  explicit transfers(transport& network) noexcept : network_(network) {}
  transfers(const transfers&) = delete;
  transfers& operator=(const transfers&) = delete;
  ~transfers() {
    KASURI_EXPECT(cheap, none(),
                  "transfers with %zu ranks are under way, and nobody waits for them",
                  targets_.size());
  }

  // Before finish() the caller must not change the bytes that it puts, nor read those that it gets.
  void put(int target, const window& w, std::uint64_t offset, std::byte* from,
           std::uint64_t bytes) {
    add({target, &w, offset, from, bytes, true});
  }
  void get(int target, const window& w, std::uint64_t offset, std::byte* to, std::uint64_t bytes) {
    add({target, &w, offset, to, bytes, false});
  }
  /// All of them are on their way behind this; else the last may still wait for more.
  void send();
  /// Waits for all. How long, ns.
  std::uint64_t finish();
  [[nodiscard]] bool none() const noexcept { return targets_.empty(); }

 private:
  struct run {
    int target = -1;
    const window* there = nullptr;
    std::uint64_t offset = 0;
    std::byte* here = nullptr;
    std::uint64_t bytes = 0;
    bool puts = false;
  };

  void add(const run& next);

  transport& network_;
  run last_;  // not sent yet, for it may grow
  std::vector<int> targets_;
};

}  // namespace kasuri::cluster
