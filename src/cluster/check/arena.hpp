// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the checks keep their records: a window of which each rank has a part. Any rank takes room
// in any part; nothing is given back before the next run, when everybody empties its own.

#include <cstddef>
#include <cstdint>

#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

class arena {
 public:
  /// Collective. `fixed` bytes of each part, zero after clear(), are for the owner of the arena:
  /// they begin at fixed_start. Throws std::bad_alloc, at all ranks, where one has no room.
  arena(transport& network, std::size_t bytes, std::size_t fixed);
  /// Collective.
  ~arena();
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  static constexpr std::uint64_t fixed_start = 64;

  /// Empties this rank's part. Nobody uses it meanwhile.
  void clear();

  /// Room for `bytes` bytes at that rank: their offset, a multiple of 16. Ends the process where
  /// there is none. Any thread.
  std::uint64_t take(int rank, std::uint64_t bytes);

  /// Plain memory of a part; both wait until it is done. Whether nobody else is at work on it is
  /// the caller's business.
  void read(int rank, std::uint64_t offset, void* to, std::uint64_t bytes);
  void write(int rank, std::uint64_t offset, const void* from, std::uint64_t bytes);
  /// Of this rank's own part.
  [[nodiscard]] std::byte* local(std::uint64_t offset) const noexcept {
    return memory_.local + offset;
  }

  /// A word of `fixed` as a lock. Held across operations of the network.
  void lock(int rank, std::uint64_t offset);
  void unlock(int rank, std::uint64_t offset);

  [[nodiscard]] transport& network() const noexcept { return network_; }

 private:
  void expect_inside(int rank, std::uint64_t offset, std::uint64_t bytes) const;

  transport& network_;
  const std::uint64_t first_;  // behind what is fixed
  window memory_;              // its first word: bytes taken behind first_
};

}  // namespace kasuri::cluster
