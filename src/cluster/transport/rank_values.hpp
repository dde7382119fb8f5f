// SPDX-License-Identifier: Apache-2.0
#pragma once

// Collective operations of the program on a value of each rank. Every one begins with the
// announcement of the call (meet.hpp). Values that are small enough are then gathered by all, and
// each rank combines them for itself. Larger ones go from rank to rank through a window that has,
// at each rank, a word and a slot for each round of an operation.
//
//   reduce    in round k the ranks whose number has bit k as its lowest give what they have to the
//             rank 2^k below, which combines it with its own: rank 0 has all in the end
//   scan      in round k rank r gives what it has, of the 2^k ranks up to r, to rank r + 2^k
//   last      a round of its own for a value that only moves: to the root, or to the next rank
//
// A slot is full when its word has the number of the operation. It need not be emptied: nobody
// sends in the next operation before all have announced it, and by then all have left this one.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

/// How values are combined: combine(op, left, right) sets left.
struct combination {
  void (*combine)(const void* op, void* left, const void* right);
  const void* op;

  void operator()(std::byte* left, const std::byte* right) const { combine(op, left, right); }
};

/// Values of so many bytes at most are gathered by all when they have announced the call.
inline constexpr std::size_t most_announced = 128;

class rank_values {
 public:
  explicit rank_values(transport& network);

  // Collective; `value` is this rank's, and becomes the result. False: this rank gets none, and its
  // value is as it was.

  void broadcast(std::span<std::byte> value, int root);
  bool reduce(std::span<std::byte> value, int root, const combination& with);
  void all_reduce(std::span<std::byte> value, const combination& with);
  void scan(std::span<std::byte> value, const combination& with);
  /// Rank r gets the combination of the values below r, but rank 0 none.
  bool exclusive_scan(std::span<std::byte> value, const combination& with);

 private:
  bool announce(collective_call::kind what, int root, std::span<const std::byte> value);
  [[nodiscard]] const std::byte* told_by(int rank, std::size_t bytes) const {
    return told_.data() + static_cast<std::size_t>(rank) * bytes;
  }
  void combine_told(std::span<std::byte> value, int last, const combination& with) const;
  void make_room(std::size_t bytes);
  void reduce_to_0(std::span<std::byte> value, const combination& with);
  void scan_by_rounds(std::span<std::byte> value, const combination& with);
  void give(int to, int round, std::span<const std::byte> value);
  [[nodiscard]] const std::byte* wait_for(int round);
  [[nodiscard]] std::size_t slot(int round) const noexcept;

  transport& net_;
  const int rank_;
  const int size_;
  const int last_round_;          // log2 of size_, rounded up
  std::vector<std::byte> told_;   // small values of all ranks, from the announcement
  window slots_;                  // for values of room_ bytes
  std::size_t room_ = 0;          // 0: there is no window yet
  std::uint64_t operations_ = 0;  // through this window
};

}  // namespace kasuri::cluster
